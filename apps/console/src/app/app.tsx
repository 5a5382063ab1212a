import { AuthenticationError, InvalidRequestError, NotFoundError, PermissionError } from '@hone/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Route, Router, Switch } from 'wouter';

import { Pages } from './pages.js';
import { SessionGate } from './session-gate.js';
import { SignInByCode } from './sign-in-by-code.js';

/** Trying again does not help; the client itself has repeated the rest. */
const FINAL = [AuthenticationError, InvalidRequestError, NotFoundError, PermissionError];

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 1 && !FINAL.some((type) => error instanceof type),
      staleTime: 1_000,
      refetchOnWindowFocus: true,
    },
  },
});

export const App = () => (
  <QueryClientProvider client={queries}>
    <Router base="/console">
      <Switch>
        <Route path="/sign-in">
          <SignInByCode />
        </Route>
        <Route>
          <SessionGate>
            <Pages />
          </SessionGate>
        </Route>
      </Switch>
    </Router>
  </QueryClientProvider>
);
