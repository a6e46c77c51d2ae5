import { surviveTranslation } from '../ui/translated.ts';
import '../layouts/missing.tsx';

/*
 * Loaded once the first view stands, which does not wait for it: what a browser's translation or a lost network needs
 * later.
 */

surviveTranslation();
// The shell for when there is no network; the service worker keeps no answer of the API.
if (import.meta.env.PROD) navigator.serviceWorker?.register('/service-worker.js').catch(() => {});
