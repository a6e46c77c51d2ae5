const TONES = [
  'bg-forest-tint text-forest',
  'bg-ochre-tint text-ochre-ink',
  'bg-indigo-tint text-indigo',
  'bg-clay-tint text-clay',
];

/** A name's first letters on one of four colours, always the same for the same name; the logo where there is one. */
export function Monogram({ name, logo, large = false }: { name: string; logo?: string | null; large?: boolean }) {
  const size = large ? 'size-16 rounded-[18px] text-title' : 'size-12 rounded-[13px] text-lead';
  if (logo) {
    return <img src={logo} alt="" loading="lazy" width="64" height="64" className={`${size} shrink-0 object-cover`} />;
  }
  const tone = TONES[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % TONES.length];
  return (
    <span aria-hidden="true" className={`${size} ${tone} grid shrink-0 place-items-center font-extrabold`}>
      {initialsOf(name)}
    </span>
  );
}

/** A person's initials on ochre. */
export function Avatar({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-9 shrink-0 place-items-center rounded-full bg-[#d9961a] text-small font-bold text-[#2a1c00]"
    >
      {initialsOf(name)}
    </span>
  );
}

/** The first letters of the first two words. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');
}
