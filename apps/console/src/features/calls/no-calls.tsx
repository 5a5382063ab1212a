import { useQuery } from '@tanstack/react-query';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { formatCount } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { Button } from '../../shared/ui/button.js';
import { ButtonLink } from '../../shared/ui/button-link.js';
import { EmptyNote } from '../../shared/ui/notes.js';
import { type CallsFilter, type CallsView, toCondition } from './calls-filter.js';

/** Enough to say how many there are; more are "more than". */
const MOST_COUNTED = 1_000;

interface Props {
  readonly view: CallsView;
  /** Shows calls within calls, too. */
  readonly showAll: () => void;
}

/** What there is instead of a list without calls. */
export function NoCalls({ view, showAll }: Props) {
  const project = useProject();
  if (!isFiltered(view))
    return (
      <EmptyNote title="No calls yet">
        <p>
          Each chat through Hone becomes a call, and so does what a tracing SDK sends. Ask a model in the playground, or
          see Home for lines to paste.
        </p>
        <p className={page['row']}>
          <ButtonLink kind="primary" to={project.path('playground')}>
            Open the playground
          </ButtonLink>
          <ButtonLink to={project.path()}>See the lines to paste</ButtonLink>
        </p>
      </EmptyNote>
    );
  return (
    <EmptyNote title="No call matches">
      <p>Remove a filter, or look at a longer time.</p>
      <p>
        <ButtonLink to={project.path('calls')}>Clear filters</ButtonLink>
      </p>
      {view.filter.depth !== 'all' && <CallsWithin view={view} showAll={showAll} />}
    </EmptyNote>
  );
}

const isFiltered = ({ filter: { op, status, range }, query }: CallsView): boolean =>
  op !== '' || status !== '' || range !== '' || query !== null;

/** Only topmost calls were looked at: says whether calls within them match. */
function CallsWithin({ view, showAll }: Props) {
  const project = useProject();
  const within = useQuery({
    queryKey: ['calls within traces', project.id, view.filter, view.query],
    queryFn: async ({ signal }) => {
      const filter: CallsFilter = { ...view.filter, depth: 'all' };
      const condition = toCondition(project.id, filter, view.query, Date.now());
      return hone.trace.countCalls({ ...condition, limit: MOST_COUNTED }, { signal });
    },
    retry: false,
  });
  if (!within.data || within.data.count === 0) return null;
  const { count, has_more: hasMore } = within.data;
  const isOne = count === 1 && !hasMore;
  return (
    <p>
      {hasMore && 'More than '}
      {formatCount(count)} {isOne ? 'call' : 'calls'} within traces {isOne ? 'matches' : 'match'}:{' '}
      <Button kind="primary" onClick={showAll}>
        Show {isOne ? 'it' : 'them'}
      </Button>
    </p>
  );
}
