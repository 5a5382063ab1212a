import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

import { PendingPage } from '../shared/page/pending-page.js';

interface LazyPage<Props> {
  (props: Props): ReactNode;
  /** Loads its code before it is shown. */
  preload(): void;
}

/**
 * A page whose code comes when it is first opened. Unlike React's own `lazy` it is shown as soon as it is there: React
 * keeps what stands in for a page on the screen for at least 300 ms. When the code does not come, one can try again.
 *
 * @param title heading of the page until its code is there
 */
export function lazy<Props extends object>(
  title: string,
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyPage<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => {
    Loaded ??= (await load()).default;
  };
  function Shown(props: Props) {
    const [state, setState] = useState<{ readonly error: unknown; readonly tries: number }>({ error: null, tries: 0 });
    const { tries } = state;
    useEffect(() => {
      if (Loaded) return;
      loadOnce().then(
        () => setState({ error: null, tries }),
        (error: unknown) => setState({ error, tries }),
      );
    }, [tries]);
    if (Loaded) return <Loaded {...props} />;
    const retry = () => setState({ error: null, tries: tries + 1 });
    return <PendingPage title={title} what="the page" error={state.error} retry={retry} />;
  }
  // The page itself asks again, and says so when it fails.
  return Object.assign(Shown, { preload: () => void loadOnce().catch(() => undefined) });
}
