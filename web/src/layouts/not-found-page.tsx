import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';
import { say } from '../words/say.ts';
import { Title } from './title.tsx';

/** Any address that is no page. */
export function NotFoundPage() {
  return (
    <div className="wrap grid justify-items-center gap-4 py-20 text-center">
      <Title>{say('Page not found')}</Title>
      <svg viewBox="0 0 200 120" aria-hidden="true" className="w-56">
        <path d="M20 100h160" stroke="var(--line-strong)" strokeWidth="2" strokeDasharray="5 6" />
        <path
          d="M52 60h96l-12 40H64z"
          fill="var(--ochre-tint)"
          stroke="var(--ochre)"
          strokeWidth="3"
          strokeLinejoin="round"
        />
        <path d="m56 73 88 0M60 87h80M76 60l6 40m36-40-6 40m-12-40v40" stroke="var(--ochre)" strokeWidth="2" />
        <path d="M66 60c0-44 68-44 68 0" fill="none" stroke="var(--clay)" strokeWidth="5" strokeLinecap="round" />
      </svg>
      <h1 className="text-head">{say('Page not found')}</h1>
      <p className="max-w-[44ch] text-ink-2">
        {say('This basket is empty. The address may be mistyped, or the page has moved.')}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <LinkButton to={paths.home()}>{say('Navigate Home')}</LinkButton>
        <LinkButton to={paths.saccos()} look="line">
          {say('Join Saccos')}
        </LinkButton>
      </div>
    </div>
  );
}
