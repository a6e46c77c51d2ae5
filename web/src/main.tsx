import './ui/ui.css';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { startFollowingNewBuilds } from './new-build.ts';
import { Routes } from './routes.tsx';
import { startIdleLogout } from './session/idle.ts';
import { startSession } from './session/session.ts';
import { Root } from './shell/root.tsx';
import { startTheme } from './ui/theme.ts';
import { startLanguage } from './words/say.ts';

async function start(root: HTMLElement): Promise<void> {
  startFollowingNewBuilds(import.meta.url);
  startTheme();
  await startLanguage();
  startSession();
  startIdleLogout();
  createRoot(root).render(
    <BrowserRouter>
      <Root>
        <Routes />
      </Root>
    </BrowserRouter>,
  );
  if (import.meta.env.PROD) addEventListener('load', keepForOffline);
  if (import.meta.env.PROD && document.readyState === 'complete') keepForOffline();
}

/** The shell for when there is no network; the service worker keeps no answer of the API. */
function keepForOffline(): void {
  navigator.serviceWorker?.register('/service-worker.js').catch(() => {});
}

const root = document.getElementById('root');
if (root) void start(root);
