import type { LeaseDto, QueueDto, QueueItemDto } from '@hone/client';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { Button } from '../../shared/ui/button.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import styles from './annotation.module.css';
import { useLease } from './use-work.js';

interface Props {
  readonly queue: QueueDto;
  readonly item: QueueItemDto;
  readonly lease: LeaseDto;
}

interface LeaseProps extends Props {
  /** Whether the item is shown, and not one before it. */
  readonly isShown: boolean;
  readonly claimAgain: () => void;
}

/** Keeps the claimed item reserved, and says so. */
export function Lease({ queue, item, lease, isShown, claimAgain }: LeaseProps) {
  const kept = useLease(queue, item.id, lease);
  if (kept.error)
    return (
      <>
        <ErrorNote error={kept.error} retry={() => void kept.refetch()} />
        <p>
          <Button onClick={claimAgain}>Claim again</Button>
        </p>
      </>
    );
  const until = new Date(kept.data.expires_at).toLocaleTimeString('sv-SE');
  return (
    <p className={styles['muted']}>
      {isShown ? 'Reserved for you' : 'The item that you came from is reserved for you'} until {until}; renewed while
      this page is open.
    </p>
  );
}

/** Ends the reservation, so that somebody else may take the item at once. */
export function ReleaseLease({ queue, item, lease }: Props) {
  const project = useProject();
  const [, navigate] = useLocation();
  const releasing = useMutation({
    mutationFn: () =>
      hone.trace.releaseAnnotationLease(
        { queue_id: queue.id, item_id: item.id },
        { project_id: project.id, lease_id: lease.id },
      ),
    // A reservation that cannot be released ends by itself.
    onSettled: () => navigate(project.path(`annotation/${queue.id}`)),
  });
  return (
    <Button disabled={releasing.isPending} onClick={() => releasing.mutate()}>
      Release
    </Button>
  );
}
