import type { ScorerDefinitionDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { useSpecs } from '../../../shared/annotation/use-specs.js';
import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { objectRef } from '../../../shared/data/refs.js';
import { useSearchValues } from '../../../shared/data/search-state.js';
import page from '../../../shared/page/page.module.css';
import { criteriaOf, type Scorer } from '../../../shared/scorers/scorer.js';
import { Input, Select } from '../../../shared/ui/input.js';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { ReportView } from './report-view.js';
import { type LabelSource, labelSources, readMap } from './truth.js';

interface Props {
  readonly scorer: Scorer;
  readonly definition: ScorerDefinitionDto;
}

/** What a version has found on the whole, and how far people agree with it. */
export function TrustCard({ scorer, definition }: Props) {
  const project = useProject();
  const [value, set] = useSearchValues();
  const specs = useSpecs();
  const criteria = criteriaOf(definition);
  const criterion = criteria.find((one) => one === value('criterion')) ?? criteria[0] ?? '';
  const sources = labelSources(specs.data ?? []);
  const source = sources.find(({ type }) => type === value('labels'));
  const map = readMap(value('map'));
  const truth = source && { ...source.truth, ...(source.answers.length > 0 && { map }) };
  const isReady = !source || source.answers.length === 0 || map !== null;
  const report = useQuery({
    queryKey: ['judge report', project.id, scorer.digest, criterion, truth],
    queryFn: ({ signal }) =>
      hone.evaluation.reportJudge(
        {
          ...{ project_id: project.id, scorer: objectRef(project.id, scorer.id, scorer.digest), criterion },
          truth: truth ?? null,
        },
        { signal },
      ),
    enabled: isReady && criterion !== '' && specs.data !== undefined,
  });
  return (
    <section className={page['card']} aria-label="How far to trust it">
      <h2>How far to trust it</h2>
      <div className={page['section']}>
        <div className={page['form']}>
          <label>
            What it finds
            <Select value={criterion} onChange={({ target }) => set('criterion', target.value)}>
              {criteria.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          </label>
          <label>
            People say the same with
            <Select value={source?.type ?? ''} onChange={({ target }) => set('labels', target.value)}>
              <option value="">nothing yet</option>
              {sources.map(({ type, title }) => (
                <option key={type} value={type}>
                  {title}
                </option>
              ))}
            </Select>
          </label>
        </div>
        {source && <AnswerMap source={source} map={map ?? {}} change={(to) => set('map', JSON.stringify(to))} />}
        {!source && (
          <p className={page['muted']}>
            A judge errs. Have people label some of the same calls in an{' '}
            <Link to={project.path('annotation')}>annotation queue</Link>, and choose their criterion here: the figure
            is corrected by what they say, and its interval holds.
          </p>
        )}
        {report.error ? (
          <ErrorNote error={report.error} retry={() => void report.refetch()} />
        ) : !isReady ? (
          <p className={page['muted']}>Say which number the answers count as.</p>
        ) : !report.data ? (
          <Loading what="the report" />
        ) : (
          <ReportView report={report.data} />
        )}
      </div>
    </section>
  );
}

interface MapProps {
  readonly source: LabelSource;
  readonly map: Readonly<Record<string, number>>;
  readonly change: (map: Readonly<Record<string, number>>) => void;
}

/** What answers that are texts count as. */
const AnswerMap = ({ source: { answers }, map, change }: MapProps) =>
  answers.length > 0 && (
    <div className={page['form']}>
      {answers.map((answer) => (
        <label key={answer}>
          <span dir="auto">“{answer}” counts as</span>
          <Input
            type="number"
            step="any"
            placeholder="no label"
            value={map[answer] ?? ''}
            onChange={({ target }) => {
              const { [answer]: _before, ...others } = map;
              change(target.value === '' ? others : { ...others, [answer]: target.valueAsNumber });
            }}
          />
        </label>
      ))}
    </div>
  );
