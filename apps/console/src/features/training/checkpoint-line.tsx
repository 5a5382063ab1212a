import { Badge } from '../../shared/ui/badge.js';
import styles from './checkpoint-line.module.css';

interface Props {
  readonly base: string;
  /** In any order. */
  readonly steps: readonly number[];
  readonly aliases: readonly { readonly alias: string; readonly step: number }[];
  /** Whether there are older ones that are not listed. */
  readonly hasMore: boolean;
}

/** How the model came to be, from its base to its newest checkpoint, and which of them requests ask for. */
export const CheckpointLine = ({ base, steps, aliases, hasMore }: Props) => (
  <div className={styles['scroll']} role="region" aria-label="Line of checkpoints" tabIndex={0}>
    <ol className={styles['line']}>
      <li>
        <span className={styles['label']}>{base}</span>
      </li>
      {hasMore && (
        <li>
          <span className={styles['label']}>…</span>
        </li>
      )}
      {[...steps]
        .sort((a, b) => a - b)
        .map((step) => (
          <li key={step}>
            <a className={styles['label']} href={`#step-${step}`}>
              step {step}
            </a>
            {aliases
              .filter((one) => one.step === step)
              .map(({ alias }) => (
                <Badge key={alias} tone="good">
                  {alias}
                </Badge>
              ))}
          </li>
        ))}
    </ol>
  </div>
);
