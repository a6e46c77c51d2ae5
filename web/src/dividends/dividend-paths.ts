/** The addresses of the pages of dividends in the client area. */
export const dividendPaths = {
  dividends: () => '/client/dividends',
  year: (year: number) => `/client/dividends/${year}`,
  desk: () => '/client/dividends/desk',
} as const;
