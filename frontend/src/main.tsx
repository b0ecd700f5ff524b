// Entry point: translates addresses of the old console and renders the application.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { notifyChunkError } from './api/notices';
import { AppRoutes } from './layout/AppRoutes';
import { EnvironmentUrls } from './layout/EnvironmentUrls';
import { ErrorBoundary } from './layout/ErrorBoundary';
import { basePath, pathFromHash } from './lib/urls';
import { IconDefaults } from './ui/icons';
import { ChunkErrorContext } from './ui/LazyBoundary';
import './styles.css';

const base = basePath.replace(/\/$/, '');
const translated = location.pathname === basePath ? pathFromHash(location.hash) : undefined;
if (translated !== undefined) history.replaceState(null, '', `${base}${translated}`);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <IconDefaults>
        <ErrorBoundary>
          <BrowserRouter basename={base}>
            <ChunkErrorContext value={notifyChunkError}>
              <EnvironmentUrls>
                <AppRoutes />
              </EnvironmentUrls>
            </ChunkErrorContext>
          </BrowserRouter>
        </ErrorBoundary>
      </IconDefaults>
    </StrictMode>,
  );
}
