/** The page's title in the browser's tab. */
export function Title({ children }: { children: string }) {
  return <title>{`${children} · Ushirika`}</title>;
}
