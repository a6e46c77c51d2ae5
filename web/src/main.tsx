import './ui/ui.css';
// Its listener has to be there before the router's.
import './ui/back-closes.ts';
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
  const afterLoad = () => void import('./shell/after-load.ts').catch(() => {});
  if (document.readyState === 'complete') afterLoad();
  else addEventListener('load', afterLoad);
}

const root = document.getElementById('root');
if (root) void start(root);
