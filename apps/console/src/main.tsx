/**
 * The pages where people look at calls, judge them and talk to models. Its layers, top first; an import may only point
 * down (lint):
 *
 * - app: session, addresses, and what surrounds every page -> features, shared
 * - features: the pages, each a folder that imports no other one -> shared
 * - shared: what several pages show, read or write
 */
import './shared/styles/base.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { App } from './app/app.js';
import { preload } from './app/pages.js';
import { applyTheme, storedTheme } from './app/theme.js';

applyTheme(storedTheme());
preload();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
