import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { budgetedViews } from './build/budgets.ts';
import { branchingTexts } from './build/icu.ts';
import { budgets, compressed, preloadedFont, scriptsOfViews } from './build/plugins.ts';

const firstViews = budgetedViews.filter(({ isLater }) => !isLater);

let outDir = '';
const notesFolder: Plugin = {
  name: 'ushirika:notes-folder',
  configResolved({ root, build }) {
    outDir = resolve(root, build.outDir);
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    notesFolder,
    react(),
    tailwindcss(),
    branchingTexts(`${import.meta.dirname}/src/words/sw`),
    preloadedFont('figtree-latin-wght-normal'),
    VitePWA({
      strategies: 'generateSW',
      filename: 'service-worker.js',
      injectRegister: null,
      registerType: 'autoUpdate',
      includeAssets: ['logo.svg', 'icon-192.png', 'recover.js'],
      manifest: {
        name: 'Ushirika',
        short_name: 'Ushirika',
        description: 'Join a sacco from your phone, own its shares, and get a receipt for every shilling.',
        lang: 'en',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        background_color: '#fbf7ee',
        theme_color: '#12503a',
        icons: [
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
          { src: '/logo.svg', sizes: 'any', type: 'image/svg+xml' },
        ],
      },
      workbox: {
        // At once only what the first views and the shell load: the rest of the pages are kept as they are visited, so
        // that nobody pays for pages they never open. What people read through the API is never kept.
        globPatterns: ['**/*.{html,js,css,woff2,svg}'],
        manifestTransforms: [
          async (entries) => {
            const scripts = scriptsOfViews(outDir, firstViews);
            return { manifest: entries.filter(({ url }) => !url.endsWith('.js') || scripts.has(url)), warnings: [] };
          },
        ],
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [/^\/verify/, /^\/api\//, /^\/simulator/, /^\/metrics/, /^\/health/],
        cleanupOutdatedCaches: true,
        clientsClaim: true,
        skipWaiting: true,
        runtimeCaching: [
          {
            // Its document has a policy of its own (server/http/static.ts), and is kept with it: a receipt is checked with our server gone.
            urlPattern: ({ request, url }) => request.mode === 'navigate' && url.pathname === '/verify',
            handler: 'NetworkFirst',
            options: { cacheName: 'verify' },
          },
          {
            urlPattern: /\/assets\/[^/]+\.js$/,
            handler: 'CacheFirst',
            options: { cacheName: 'pages', expiration: { maxEntries: 150 } },
          },
        ],
      },
    }),
    budgets(budgetedViews),
    compressed(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: ['chrome111', 'safari16.4', 'firefox128'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The parts that every page loads are one file: it is smaller than its parts, and one request.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'entry', tags: ['$initial'] }] } } },
  },
  server: { proxy: proxyTo(process.env.API_ORIGIN) },
  preview: { proxy: proxyTo(process.env.API_ORIGIN) },
});

/** In development the API is another process, at API_ORIGIN. */
function proxyTo(origin: string | undefined) {
  if (!origin) return undefined;
  return { '/api': origin, '/simulator': origin };
}
