import { useEffect, useEffectEvent, useRef } from 'react';

/** Any of them ends a press: the menu of the right button, and what is dragged, take its release. */
const ENDS = ['mouseup', 'contextmenu', 'dragend'] as const;

/**
 * Puts work off until the pointer is released, and its click has happened: whatever the work moves would no longer be
 * beneath the pointer, and the click would land elsewhere.
 *
 * @param work done at once where nothing is pressed
 */
export function useAfterPress(work: () => void): () => void {
  const isPressed = useRef(false);
  const isDue = useRef(false);
  const run = useEffectEvent(work);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const press = () => (isPressed.current = true);
    const release = () => {
      isPressed.current = false;
      if (!isDue.current) return;
      isDue.current = false;
      // The click comes after the release, in the same task.
      timer = setTimeout(run);
    };
    document.addEventListener('mousedown', press, true);
    for (const end of ENDS) document.addEventListener(end, release, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('mousedown', press, true);
      for (const end of ENDS) document.removeEventListener(end, release, true);
    };
  }, []);
  return () => {
    if (isPressed.current) isDue.current = true;
    else work();
  };
}
