/** Grey shapes where a list will stand, so that nothing jumps. `label` is read out once ('Loading...'). */
export function Skeletons({ count, label, className }: { count: number; label: string; className: string }) {
  return (
    <>
      <span role="status" className="sr-only">
        {label}
      </span>
      {Array.from({ length: count }, (_, index) => (
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
