import { toast } from 'react-hot-toast/headless';

/** The one way to tell a person something in passing. Drawn by ToastList; the headless build injects no styles. */
export { toast };
