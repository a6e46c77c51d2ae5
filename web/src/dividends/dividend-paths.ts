/** The addresses of the pages of dividends: in the client area, and in the profile for whoever is in no sacco any more. */
export const dividendPaths = {
  dividends: () => '/client/dividends',
  year: (year: number) => `/client/dividends/${year}`,
  /** Of all saccos that one is, or was, a member of. */
  own: () => '/profile/dividends',
  ownYear: (sacco: string, year: number) => `/profile/dividends/${encodeURIComponent(sacco)}/${year}`,
  desk: () => '/client/dividends/desk',
  payments: (year: number) => `/client/dividends/desk/${year}`,
} as const;
