import { Focus, Maximize, ZoomIn, ZoomOut } from 'lucide-react';

import { Button } from '../../../shared/ui/button.js';
import { type Span, WHOLE, ZOOM_FACTOR, zoomed } from './call-tree.js';
import styles from './trace.module.css';

interface Props {
  /** Part of the time of the trace that is shown. */
  readonly span: Span;
  readonly setSpan: (span: Span) => void;
  readonly fitSelected: () => void;
}

/** How much of the time of a trace its waterfall shows. */
export function ZoomButtons({ span, setSpan, fitSelected }: Props) {
  const isWhole = span === WHOLE;
  const [from, to] = span.map((share) => `${(100 * share).toFixed(1)} %`);
  const buttons = [
    { label: 'Zoom in', Icon: ZoomIn, act: () => setSpan(zoomed(span, 1 / ZOOM_FACTOR)) },
    { label: 'Zoom out', Icon: ZoomOut, act: () => setSpan(zoomed(span, ZOOM_FACTOR)), isOff: isWhole },
    { label: 'Fit the selected call', Icon: Focus, act: fitSelected },
    { label: 'Fit the whole trace', Icon: Maximize, act: () => setSpan(WHOLE), isOff: isWhole },
  ];
  return (
    <span className={styles['zoom']} role="group" aria-label="Time of the waterfall">
      {buttons.map(({ label, Icon, act, isOff = false }) => (
        <Button key={label} kind="plain" title={label} aria-label={label} disabled={isOff} onClick={act}>
          <Icon size={16} aria-hidden />
        </Button>
      ))}
      {!isWhole && (
        <span className={styles['muted']} role="status">
          {from} to {to}
        </span>
      )}
    </span>
  );
}
