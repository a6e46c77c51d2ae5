/** Our own small set of line drawings, on a grid of 24. */
const DRAWINGS = {
  alert: 'M12 8v5m0 3.2v.1M10.4 4 2.8 17.4A1.8 1.8 0 0 0 4.4 20h15.2a1.8 1.8 0 0 0 1.6-2.6L13.6 4a1.8 1.8 0 0 0-3.2 0Z',
  arrow: 'M4 12h15m-6-6 6 6-6 6',
  back: 'M20 12H5m6-6-6 6 6 6',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 18.5a2 2 0 0 0 4 0M12 3v2',
  ballot: 'M5 11h14v9H5zM8 11V4h8v7M10 8l1.5 1.5L14 7M9 15h6',
  book: 'M5 4.5A1.5 1.5 0 0 1 6.5 3H19v15H6.5A1.5 1.5 0 0 0 5 19.5V4.5ZM5 19.5A1.5 1.5 0 0 0 6.5 21H19v-3M9 7.5h6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  clock: 'M12 7v5l3.5 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z',
  close: 'm6 6 12 12M18 6 6 18',
  coins:
    'M14 7c0 1.7-2.5 3-5.5 3S3 8.7 3 7s2.5-3 5.5-3S14 5.3 14 7ZM3 7v5c0 1.7 2.5 3 5.5 3M10 12v5c0 1.7 2.5 3 5.5 3s5.5-1.3 5.5-3v-5M21 12c0 1.7-2.5 3-5.5 3S10 13.7 10 12s2.5-3 5.5-3 5.5 1.3 5.5 3Z',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  down: 'm6 9 6 6 6-6',
  dashboard: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
  device: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm3 15h2',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  hands: 'M3 13l4-4 3 2 4-3 3 1 4 4M3 13l6 6 2-1 2 2 2-2 2 0 4-5M10 11l3 3',
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  info: 'M12 11v5m0-8.2v-.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z',
  out: 'M14 4H5v16h9M10 12h11m-4-4 4 4-4 4',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5a7.5 7.5 0 0 1 15 0',
  phone: 'M6 3h3l2 5-2.5 1.5a11 11 0 0 0 6 6L16 13l5 2v3a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3Z',
  pig: 'M4 11.5C4 8 7.6 6 11.5 6H16l2.5-2v3.6a6 6 0 0 1 1.6 2.9H22v4h-2.4a7 7 0 0 1-2.1 2.2V20h-3v-1.5h-4V20h-3v-3.2A6.6 6.6 0 0 1 4 11.5ZM15.5 10.6h.1M9.5 9h3.5',
  plus: 'M12 5v14M5 12h14',
  print: 'M7 9V3.5h10V9M7 17H4.5v-6A1.5 1.5 0 0 1 6 9.5h12a1.5 1.5 0 0 1 1.5 1.5v6H17M7 14h10v6.5H7z',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5.2 12.2L20.5 20.5',
  settings: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 4.5v5M9 14.5v5',
  share:
    'M7 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM17 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM17 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9.2 11l5.6-4M9.2 13l5.6 4.2',
  shield: 'M12 3 4.5 6v6c0 5 3.2 8 7.5 9 4.3-1 7.5-4 7.5-9V6zM8.5 12l2.5 2.5 4.5-5',
  star: 'm12 3.5 2.6 5.5 6 .8-4.4 4.2 1.1 6L12 17.1 6.7 20l1.1-6L3.4 9.8l6-.8z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3 19 19M19 5l-1.7 1.7M6.7 17.3 5 19',
  swap: 'M4 9h15l-4-4M20 15H5l4 4',
  chart: 'M4 20V5M4 20h16M7.5 15l4-5 3.5 3 5-7',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14',
  drop: 'M12 3c4 5.5 6.5 8.5 6.5 12a6.5 6.5 0 0 1-13 0C5.5 11.5 8 8.5 12 3Z',
  wallet: 'M4 7.5A2.5 2.5 0 0 1 6.5 5H18v3M4 7.5V18a2 2 0 0 0 2 2h14V8H6M16.5 14h.1',
} as const;

export type IconName = keyof typeof DRAWINGS;

/** A drawing beside words; it says nothing by itself. */
export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
    >
      <path d={DRAWINGS[name]} />
    </svg>
  );
}

/** The mark of Ushirika: one thread that makes two arches. */
export function Mark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg viewBox="0 0 30 30" aria-hidden="true" className={`shrink-0 ${className}`}>
      <circle cx="15" cy="15" r="15" fill="#12503a" />
      <path
        d="M7 18.2v-3a4 4 0 0 1 8 0v3m0-3a4 4 0 0 1 8 0v3"
        fill="none"
        stroke="#e9b04a"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
