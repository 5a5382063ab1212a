import { useEffect, useEffectEvent } from 'react';

const FIELDS =
  'input:not([type=radio]):not([type=checkbox]):not([type=button]), textarea, select, [contenteditable=true]';

/**
 * Keys that work anywhere on the page, by `KeyboardEvent.key`. Fields, dialogs and key combinations of the browser keep
 * theirs; Enter and the space bar stay with the button or link that has the focus. A key that is held down acts once,
 * except arrows: what comes next was not seen yet.
 */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element))
      return;
    if (target.closest(FIELDS) || document.querySelector('dialog[open]')) return;
    if ((key === 'Enter' || key === ' ') && target.closest('button, a, summary')) return;
    const action = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (!action) return;
    event.preventDefault();
    if (!event.repeat || key.startsWith('Arrow')) action();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
