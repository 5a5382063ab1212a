import type { GatewayStateDto } from '@hone/client';

import { useSearchValues } from '../../shared/data/search-state.js';
import { formatAge, formatTime } from '../../shared/format/format.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Select } from '../../shared/ui/input.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import { RouteTable } from './route-table.js';
import { TargetDetail } from './target-detail.js';
import { Upstreams } from './upstreams.js';
import { useDeletedTargets } from './use-deleted-targets.js';
import { useProcesses } from './use-processes.js';

/** Of each target; an open one shows all that the gateway keeps. */
const LAST_FAILURE = 1;
const ALL_FAILURES = 20;

/** The gateway: routes and targets, how they are, and why requests left them. */
export default function GatewayPage() {
  const [value, set] = useSearchValues();
  const targetId = value('target');
  const query = useProcesses(targetId === '' ? LAST_FAILURE : ALL_FAILURES);
  const processes = query.data ?? [];
  const state = processes.find(({ instance }) => instance.id === value('process')) ?? processes[0];
  const deleted = useDeletedTargets(state?.routes ?? []);
  return (
    <Page
      title="Gateway"
      actions={state && <Processes processes={processes} shown={state} choose={(process) => set('process', process)} />}
    >
      {query.error && <ErrorNote error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Loading what="routes and targets" />}
      {state && (
        <div className={page['body']}>
          {state.file_refused && (
            <p className={page['problem']} role="status">
              The changed upstreams file is wrong: the configuration before it stays in effect. The log of the gateway
              says why.
            </p>
          )}
          <RouteTable {...{ state, deleted }} open={(target) => set('target', target)} opened={targetId} />
          {targetId !== '' && (
            <TargetDetail
              {...{ state }}
              id={targetId}
              isDeleted={deleted.has(targetId)}
              close={() => set('target', '')}
            />
          )}
          <Upstreams upstreams={state.upstreams} />
        </div>
      )}
    </Page>
  );
}

interface ProcessesProps {
  readonly processes: readonly GatewayStateDto[];
  readonly shown: GatewayStateDto;
  readonly choose: (process: string) => void;
}

/** Which process it is: each has breakers, queues and counts of its own. */
function Processes({ processes, shown, choose }: ProcessesProps) {
  const newestMs = Math.max(...processes.map(({ read_at }) => Date.parse(read_at)));
  const { id, started_at, hostname } = shown.instance;
  return (
    <>
      {processes.length > 1 && (
        <Select aria-label="Process" value={id} onChange={({ target }) => choose(target.value)}>
          {processes.map(({ instance }, index) => (
            <option key={instance.id} value={instance.id}>
              Process {index + 1} of {processes.length}
              {instance.hostname === null ? '' : ` on ${instance.hostname}`}
            </option>
          ))}
        </Select>
      )}
      <span className={page['muted']} title={`${hostname ?? ''} ${id}`}>
        started {formatTime(started_at).slice(0, -4)}
        {processes.length > 1 && `, answered ${formatAge(shown.read_at, newestMs)}`}
      </span>
    </>
  );
}
