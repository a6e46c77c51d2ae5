import { type ReactNode, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import {
  clearStoredData,
  currentSacco,
  currentSession,
  enterPrivatePage,
  leaveCorruptSession,
  readStoredSacco,
  readStoredSession,
  rememberPage,
} from './session.ts';

/*
 * The guards of groups of pages. Each looks at what is stored on every navigation, before its pages are drawn.
 */

/** Lets nobody past who is not signed in. */
export function RequireSession() {
  useLocation();
  const { state } = readStoredSession();
  return state === 'present' ? <PrivatePage /> : <ToSignIn isCorrupt={state === 'corrupt'} />;
}

/** Signing out in another tab leads away from it. */
function PrivatePage() {
  useEffect(enterPrivatePage, []);
  return <Outlet />;
}

/** The client area needs a chosen sacco as well. */
export function RequireSacco() {
  const { pathname } = useLocation();
  const { state } = readStoredSession();
  if (state !== 'present') return <ToSignIn isCorrupt={state === 'corrupt'} />;
  if (readStoredSacco().state === 'present') return <PrivatePage />;
  // Whoever opens a desk without a sacco is told what a desk is.
  return pathname.startsWith('/client/desk') ? <Navigate to="/credit-desk" replace /> : <ToMySaccos />;
}

/** Sign-in and sign-up are for people without a session: others go to their saccos. */
export function RequireNoSession({ clears = false, children }: { clears?: boolean; children: ReactNode }) {
  const [stored] = useState(readStoredSession);
  useEffect(() => {
    if (stored.state === 'corrupt') leaveCorruptSession();
    if (stored.state !== 'present' && clears) clearStoredData();
  }, [stored, clears]);
  return stored.state === 'present' ? <Navigate to={paths.mySaccos()} replace /> : children;
}

/** Explaining pages: who is signed in goes on to the client page of that name, where a sacco is chosen. */
export function OnToClient({ page, children }: { page: string; children: ReactNode }) {
  if (!currentSession()) return children;
  return <Navigate to={currentSacco() ? page : paths.mySaccos()} replace />;
}

function ToSignIn({ isCorrupt }: { isCorrupt: boolean }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the guard turns somebody away
  useEffect(() => {
    if (isCorrupt) leaveCorruptSession();
    else rememberPage(pathname + search);
    navigate(paths.login(), { replace: true });
  }, []);
  return null;
}

function ToMySaccos() {
  const navigate = useNavigate();
  useEffect(() => {
    toast.error(say('Select Sacco!!'), { travels: true });
    navigate(paths.mySaccos(), { replace: true });
  }, [navigate]);
  return null;
}
