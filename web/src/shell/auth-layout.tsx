import { Link, Outlet } from 'react-router';
import { KangaCloth } from '../layouts/kanga-cloth.tsx';
import { Switches } from '../layouts/switches.tsx';
import { paths } from '../paths.ts';
import { Mark } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

/** Sign-in and the pages beside it: the cloth with what Ushirika does on the left, the page's card on the right. */
export function AuthLayout() {
  const promises = [
    say('Onboard to a new sacco'),
    say('Check sacco ratings'),
    say('Buy and sell shares'),
    say('Get quick guarantees for sacco loans'),
  ];
  return (
    <div className="grid min-h-dvh lg:grid-cols-[3fr_2fr]">
      <section
        aria-labelledby="promise"
        className="relative flex items-end overflow-hidden bg-[#20241f] text-[#f4f1ea] grayscale max-lg:hidden"
      >
        <KangaCloth />
        <div className="relative max-w-[640px] p-14">
          <h2 id="promise" className="text-[2.75rem] font-extrabold tracking-[-0.03em]">
            {say('Your Sacco, automated')}
          </h2>
          <ul className="mt-6 grid gap-3 text-[1.0625rem]">
            {promises.map((promise) => (
              <li key={promise} className="flex items-center gap-3">
                <span aria-hidden="true" className="size-2.5 shrink-0 rotate-45 bg-[#cfcabd]" />
                {promise}
              </li>
            ))}
          </ul>
        </div>
      </section>
      <div className="flex flex-col px-5 sm:px-8">
        <header>
          <div className="relative -mx-5 flex h-24 items-end overflow-hidden bg-[#20241f] px-5 pb-3 text-[#f4f1ea] grayscale sm:-mx-8 sm:px-8 lg:hidden">
            <KangaCloth />
            <p className="relative text-title font-extrabold tracking-tight">{say('Your Sacco, automated')}</p>
          </div>
          <div className="flex min-h-16 items-center justify-between gap-3">
            <Link to={paths.home()} className="flex min-h-11 items-center gap-2 font-extrabold">
              <Mark className="size-7" />
              Ushirika
            </Link>
            <Switches />
          </div>
        </header>
        <main id="main" tabIndex={-1} className="grid grow place-items-center pb-10 max-lg:place-items-start">
          <div className="mx-auto w-full max-w-[27rem] lg:rounded-card lg:border lg:border-line lg:bg-surface lg:p-8 lg:shadow-card">
            <Outlet />
          </div>
        </main>
      </div>
    </div>
  );
}
