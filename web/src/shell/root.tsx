import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router';
import { useAskedProof } from '../api/with-proof.ts';
import { later } from '../layouts/later.tsx';
import { usePageIsLoading } from '../layouts/page.tsx';
import { navigateBy } from '../session/session.ts';
import { toast } from '../ui/toast.ts';
import { ToastList } from '../ui/toast-list.tsx';
import { say, useLanguage } from '../words/say.ts';
import { Crash } from './crash.tsx';
import { OfflineNote } from './offline-note.tsx';

const ProofDialog = later(() => import('../identity/proof-dialog.tsx'), 'ProofDialog');

/** What every page stands in: the way past the navigation, the toasts, the question for the password, what is shown when a page breaks. */
export function Root({ children }: { children: ReactNode }) {
  useLanguage();
  useNewPageFromItsBeginning();
  const navigate = useNavigate();
  useEffect(() => navigateBy((to, options) => void navigate(to, options)), [navigate]);
  const isLoading = usePageIsLoading();
  const { pathname } = useLocation();
  const asked = useAskedProof();
  return (
    <>
      <a href="#main" className="btn btn-main z-50 not-focus:sr-only focus:fixed focus:top-2 focus:left-2">
        {say('Skip to the content')}
      </a>
      {isLoading && (
        <div role="progressbar" aria-label={say('Loading...')} className="leaving">
          <span className="card pointer-events-none fixed top-3 left-1/2 -translate-x-1/2 px-4 py-1.5 text-small">
            {say('Loading...')}
          </span>
        </div>
      )}
      <OfflineNote />
      <Crash place={pathname}>{children}</Crash>
      {asked && (
        <Suspense fallback={null}>
          <ProofDialog asked={asked} />
        </Suspense>
      )}
      <ToastList />
    </>
  );
}

/** A new page starts at its top, for the eye and for the keyboard; going back finds the place that was left. */
function useNewPageFromItsBeginning(): void {
  const { pathname } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    toast.endOfPlace();
    if (!isBack) scrollTo(0, 0);
    if (!document.querySelector('dialog[open]')) document.getElementById('main')?.focus({ preventScroll: true });
  }, [pathname, isBack]);
}
