import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { tellUnloaded } from './api/errorList';
import { AppRoutes } from './layout/AppRoutes';
import { ErrorBoundary } from './layout/ErrorBoundary';
import { basePath, pathFromHash } from './lib/urls';
import { TellUnloaded } from './ui/Part';
import './styles.css';

const base = basePath().replace(/\/$/, '');
const old = location.pathname === basePath() ? pathFromHash(location.hash) : undefined;
if (old !== undefined) history.replaceState(null, '', `${base}${old}`);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <BrowserRouter basename={base}>
          <TellUnloaded value={tellUnloaded}>
            <AppRoutes />
          </TellUnloaded>
        </BrowserRouter>
      </ErrorBoundary>
    </StrictMode>,
  );
}
