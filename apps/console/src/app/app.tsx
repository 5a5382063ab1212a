import { QueryClientProvider } from '@tanstack/react-query';
import { Route, Router, Switch } from 'wouter';

import { Pages } from './pages.js';
import { queries } from './queries.js';
import { SessionGate } from './session-gate.js';
import { SignInByCode } from './sign-in-by-code.js';

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
