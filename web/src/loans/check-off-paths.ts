/** The addresses of a payer's pages: in the client area, and for whoever is in no sacco. */
export const checkOffPaths = {
  client: () => '/client/check-offs',
  clientOne: (id: string) => `/client/check-offs/${encodeURIComponent(id)}`,
  profile: () => '/profile/check-offs',
  profileOne: (id: string) => `/profile/check-offs/${encodeURIComponent(id)}`,
} as const;
