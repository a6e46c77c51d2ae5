import { useId } from 'react';

/** A length of kanga cloth in grey, fading downwards so that words can stand on it. */
export function KangaCloth() {
  const id = useId();
  return (
    <svg
      aria-hidden="true"
      preserveAspectRatio="xMidYMid slice"
      viewBox="0 0 800 800"
      className="absolute inset-0 size-full"
    >
      <defs>
        <pattern id={`${id}k`} width="120" height="120" patternUnits="userSpaceOnUse">
          <path d="M0 60 60 0l60 60-60 60z" fill="#2d332c" />
          <path d="m20 60 40-40 40 40-40 40z" fill="#3d443b" />
          <path d="m60 36 24 24-24 24-24-24z" fill="#596055" />
          <path d="M60 8v12m0 80v12M8 60h12m80 0h12" stroke="#6d7468" strokeWidth="2" strokeLinecap="round" />
          <circle cx="60" cy="60" r="7" fill="#cfcabd" />
          <path d="M0 0h.01M120 0h.01M0 120h.01M120 120h.01" stroke="#596055" strokeWidth="18" strokeLinecap="round" />
          <path d="M0 0h.01M120 0h.01M0 120h.01M120 120h.01" stroke="#20241f" strokeWidth="7" strokeLinecap="round" />
        </pattern>
        <linearGradient id={`${id}g`} x2="0" y2="1">
          <stop stopColor="#20241f" stopOpacity=".1" />
          <stop offset=".75" stopColor="#20241f" stopOpacity=".96" />
        </linearGradient>
      </defs>
      <rect width="800" height="800" fill={`url(#${id}k)`} />
      <rect width="800" height="800" fill={`url(#${id}g)`} />
    </svg>
  );
}
