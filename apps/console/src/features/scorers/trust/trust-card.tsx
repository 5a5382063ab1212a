import type { ScorerDefinitionDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { objectRef } from '../../../shared/data/refs.js';
import { useRights } from '../../../shared/data/role.js';
import { useSearchState } from '../../../shared/data/search-state.js';
import { LabelsDialog } from '../../../shared/labels/labels-dialog.js';
import { AnswerMap, TruthField } from '../../../shared/labels/truth-fields.js';
import { useTruth } from '../../../shared/labels/use-truth.js';
import page from '../../../shared/page/page.module.css';
import { criteriaOf, type Scorer } from '../../../shared/scorers/scorer.js';
import { Button } from '../../../shared/ui/button.js';
import { Select } from '../../../shared/ui/input.js';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { BiasSection } from './bias/bias-section.js';
import { ReportView } from './report-view.js';

interface Props {
  readonly scorer: Scorer;
  readonly definition: ScorerDefinitionDto;
}

/** What a version has found on the whole, and how far people agree with it. */
export function TrustCard({ scorer, definition }: Props) {
  const project = useProject();
  const [chosen, setCriterion] = useSearchState('criterion');
  const { mayWrite } = useRights();
  const [isBuying, setIsBuying] = useState(false);
  const choice = useTruth();
  const { truth, isReady } = choice;
  const criteria = criteriaOf(definition);
  const criterion = criteria.find((one) => one === chosen) ?? criteria[0] ?? '';
  const judged = { project_id: project.id, scorer: objectRef(project.id, scorer.id, scorer.digest), criterion, truth };
  const report = useQuery({
    queryKey: ['judge report', judged],
    queryFn: ({ signal }) => hone.evaluation.reportJudge(judged, { signal }),
    enabled: isReady && criterion !== '',
  });
  const hasJudged = (report.data?.calls ?? 0) > 1;
  return (
    <section className={page['card']} aria-label="How far to trust it">
      <h2>How far to trust it</h2>
      <div className={page['section']}>
        <div className={page['form']}>
          <label>
            What it finds
            <Select value={criterion} onChange={({ target }) => setCriterion(target.value)}>
              {criteria.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          </label>
          <TruthField choice={choice} />
        </div>
        <AnswerMap choice={choice} />
        {mayWrite && hasJudged && (
          <div>
            <Button onClick={() => setIsBuying(true)}>Have people label calls</Button>
          </div>
        )}
        {isBuying && <LabelsDialog {...{ scorer, definition, criterion }} close={() => setIsBuying(false)} />}
        {!choice.source && (
          <p className={page['muted']}>
            A judge errs. Have people label some of the same calls, or choose what they were asked in an{' '}
            <Link to={project.path('annotation')}>annotation queue</Link>: the figure is corrected by what they say, and
            its interval holds.
          </p>
        )}
        {report.error ? (
          <ErrorNote error={report.error} retry={() => void report.refetch()} />
        ) : choice.source && !isReady ? (
          <p className={page['muted']}>Say which number the answers count as.</p>
        ) : !report.data ? (
          <Loading what="the report" />
        ) : (
          <ReportView report={report.data} steps={stepsOf(definition, criterion)} />
        )}
        {hasJudged && isReady && <BiasSection {...{ judged, definition }} />}
      </div>
    </section>
  );
}

/** What the rubric says of the numbers of a rating. */
const stepsOf = ({ llm }: ScorerDefinitionDto, criterion: string): Readonly<Record<string, string>> =>
  llm?.ratings?.find(({ name }) => name === criterion)?.steps ?? {};
