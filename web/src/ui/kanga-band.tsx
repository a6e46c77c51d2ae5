import { useId } from 'react';

/** The kanga band: one motif of nested diamonds and dots, drawn once. It closes a hero or a card of weight, nothing else. */
export function KangaBand({ isThin = false }: { isThin?: boolean }) {
  const id = useId();
  const scale = isThin ? 0.5 : 1;
  return (
    <svg aria-hidden="true" width="100%" height={22 * scale} className="block">
      <defs>
        <pattern id={id} width="44" height="22" patternUnits="userSpaceOnUse" patternTransform={`scale(${scale})`}>
          <path fill="#12503a" d="M0 0h44v22H0z" />
          <path fill="#d9961a" d="M0 11 11 0h22l11 11-11 11H11z" />
          <path fill="#0b3527" d="m8 11 7-7h14l7 7-7 7H15z" />
          <path fill="#fbf7ee" d="m22 5 6 6-6 6-6-6z" />
          <circle cx="22" cy="11" r="2.2" fill="#b0452a" />
          <path stroke="#fbf7ee" strokeWidth="3.2" strokeLinecap="round" d="M0 2h.01M43.99 2H44M0 20h.01M43.99 20H44" />
        </pattern>
      </defs>
      <rect width="100%" height="22" fill={`url(#${id})`} />
    </svg>
  );
}
