/** Grey shapes where a list will stand, so that nothing jumps. The first has the label ('Loading...'), for the eye and the ear. */
export function Skeletons({ count, label, className }: { count: number; label: string; className: string }) {
  return (
    <>
      <div role="status" className={`skeleton grid place-items-center text-small text-ink-2 ${className}`}>
        {label}
      </div>
      {Array.from({ length: count - 1 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={index} aria-hidden="true" className={`skeleton ${className}`} />
      ))}
    </>
  );
}

/** A page that is on its way. */
export function Loading({ label }: { label: string }) {
  return (
    <div className="grid min-h-64 place-items-center text-ink-2">
      <p role="status">{label}</p>
    </div>
  );
}
