import { onSignOut } from '../session/session.ts';
import { forgetText } from '../ui/kept-text.ts';
import { surviveTranslation } from '../ui/translated.ts';
import '../layouts/missing.tsx';

/*
 * Loaded once the first view stands, which does not wait for it: what a browser's translation, a lost network or a closed
 * dialog needs later.
 */

surviveTranslation();
onSignOut(() => forgetText());
// The shell for when there is no network; the service worker keeps no answer of the API.
if (import.meta.env.PROD) navigator.serviceWorker?.register('/service-worker.js').catch(() => {});
