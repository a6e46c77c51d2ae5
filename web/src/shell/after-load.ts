import { surviveTranslation } from '../ui/translated.ts';
import '../layouts/missing.tsx';

/* Code for a browser's translation and a lost network. It is loaded after the first view, which does not wait for it. */

surviveTranslation();
// The shell for when there is no network; the service worker keeps no answer of the API.
if (import.meta.env.PROD) navigator.serviceWorker?.register('/service-worker.js').catch(() => {});
