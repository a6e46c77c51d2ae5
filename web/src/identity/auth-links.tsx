import { Link } from 'react-router';

/** The links under a form of the /auth pages. */
export function AuthLinks({ links }: { links: readonly (readonly [path: string, words: string])[] }) {
  return (
    <div className="mt-4 flex flex-wrap justify-between gap-x-5 text-small">
      {links.map(([path, words]) => (
        <Link key={path} to={path} className="link inline-flex min-h-11 items-center">
          {words}
        </Link>
      ))}
    </div>
  );
}

/** An /auth page's heading and the sentence under it. */
export function AuthHead({ title, lead }: { title: string; lead: string }) {
  return (
    <div className="mb-5">
      <h1 className="text-[1.75rem]">{title}</h1>
      <p className="mt-1.5 text-ink-2">{lead}</p>
    </div>
  );
}
