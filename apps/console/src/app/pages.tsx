import { Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';

import { projectOf, toProject } from '../shared/data/project.js';
import { SESSION_QUERY, useSession } from '../shared/data/session.js';
import { Page } from '../shared/page/page.js';
import { endSpareWorker, expectLargePayload } from '../shared/payload/large-payload.js';
import { callQuery } from '../shared/payload/use-call.js';
import { traceQuery } from '../shared/trace/trace-query.js';
import { ButtonLink } from '../shared/ui/button-link.js';
import { EmptyNote, Loading } from '../shared/ui/notes.js';
import { lazy } from './lazy.js';
import { ProjectShell } from './project-shell.js';
import { queries } from './queries.js';
import { segmentsOf } from './segments.js';

// A page's code comes when it is first opened.
const HomePage = lazy('Home', () => import('../features/home/home-page.js'));
const DashboardsPage = lazy('Dashboards', () => import('../features/dashboards/dashboards-page.js'));
const DashboardPage = lazy('Dashboard', () => import('../features/dashboards/dashboard-page.js'));
const CallsPage = lazy('Calls', () => import('../features/calls/calls-page.js'));
const CallPage = lazy('Trace', () => import('../features/calls/call-page.js'));
const TrainingPage = lazy('Training', () => import('../features/training/training-page.js'));
const ModelPage = lazy('Model', () => import('../features/training/model-page.js'));
const NewJobPage = lazy('New training job', () => import('../features/training/new-job/new-job-page.js'));
const CompareJobsPage = lazy('Jobs side by side', () => import('../features/training/compare/compare-page.js'));
const JobPage = lazy('Training job', () => import('../features/training/job-page.js'));
const PlaygroundPage = lazy('Playground', () => import('../features/playground/playground-page.js'));
const UsagePage = lazy('Usage', () => import('../features/usage/usage-page.js'));
const GatewayPage = lazy('Gateway', () => import('../features/gateway/gateway-page.js'));
const SettingsPage = lazy('Settings', () => import('../features/settings/settings-page.js'));

const AnnotationPage = lazy('Annotation', () => import('../features/annotation/annotation-page.js'));
const QueuePage = lazy('Queue', () => import('../features/annotation/queue-page.js'));
const PairsPage = lazy('Compare answers', () => import('../features/annotation/pairs/pairs-page.js'));
const WorkPage = lazy('Annotate', () => import('../features/annotation/work-page.js'));
const DatasetsPage = lazy('Datasets', () => import('../features/datasets/datasets-page.js'));
const DatasetPage = lazy('Dataset', () => import('../features/datasets/dataset-page.js'));
const PromptsPage = lazy('Prompts', () => import('../features/prompts/prompts-page.js'));
const PromptPage = lazy('Prompt', () => import('../features/prompts/prompt-page.js'));
const ObjectsPage = lazy('Objects', () => import('../features/objects/objects-page.js'));
const ObjectPage = lazy('Object', () => import('../features/objects/object-page.js'));
const EvaluationsPage = lazy('Evaluations', () => import('../features/evaluations/evaluations-page.js'));
const ComparePage = lazy('Runs side by side', () => import('../features/evaluations/compare-page.js'));
const GatesPage = lazy('Gates', () => import('../features/gates/gates-page.js'));
const GatePage = lazy('Gate', () => import('../features/gates/gate-page.js'));
const ImprovementsPage = lazy('Improvements', () => import('../features/improvements/improvements-page.js'));
const ImprovementPage = lazy('Improvement', () => import('../features/improvements/improvement-page.js'));
const PipelinesPage = lazy('Pipelines', () => import('../features/pipelines/pipelines-page.js'));
const PipelinePage = lazy('Pipeline', () => import('../features/pipelines/pipeline-page.js'));
const ScorersPage = lazy('Scorers', () => import('../features/scorers/scorers-page.js'));
const ScorerPage = lazy('Scorer', () => import('../features/scorers/scorer-page.js'));
const ThreadsPage = lazy('Threads', () => import('../features/threads/threads-page.js'));
const ThreadPage = lazy('Conversation', () => import('../features/threads/thread-page.js'));
const FeedbackPage = lazy('Feedback', () => import('../features/feedback/feedback-page.js'));

const PROJECT = '/p/:entity/:project';

/**
 * Asks for all that the page at this address needs first, at once: its code, the session, and the call that a link
 * from elsewhere leads to, with its trace.
 */
export function preload(): void {
  const [, ofProject, entity = '', project = '', page, id] = segmentsOf(location.pathname);
  if (ofProject !== 'p') return;
  void queries.prefetchQuery(SESSION_QUERY);
  if (page !== 'calls') return;
  if (id === undefined) return CallsPage.preload();
  const selected = new URLSearchParams(location.search).get('call') ?? '';
  const projectId = toProject(entity, project).id;
  expectLargePayload();
  void queries.prefetchQuery(callQuery(projectId, selected || id)).finally(endSpareWorker);
  void queries.prefetchQuery(traceQuery(projectId, id));
  CallPage.preload();
}

/** All pages, by their addresses. */
export function Pages() {
  const { default_project } = useSession();
  const [, , ofPath = '', project = '', , id = '', ofTraining = ''] = segmentsOf(usePathname());
  return (
    <Switch>
      <Route path="/">
        <Redirect to={projectOf(default_project).path()} replace />
      </Route>
      <Route path={`${PROJECT}/*?`}>
        <ProjectShell project={toProject(ofPath, project)}>
          <Suspense fallback={<Loading what="the page" />}>
            <Switch>
              <Route path={PROJECT} component={HomePage} />
              <Route path={`${PROJECT}/dashboards`} component={DashboardsPage} />
              <Route path={`${PROJECT}/dashboards/:id`}>
                <DashboardPage key={`${ofPath}/${project}/${id}`} id={id} />
              </Route>
              <Route path={`${PROJECT}/calls`} component={CallsPage} />
              <Route path={`${PROJECT}/calls/:id`}>
                <CallPage id={id} />
              </Route>
              <Route path={`${PROJECT}/annotation`} component={AnnotationPage} />
              <Route path={`${PROJECT}/annotation/:id`}>
                <QueuePage id={id} />
              </Route>
              <Route path={`${PROJECT}/annotation/:id/work`}>
                <WorkPage id={id} />
              </Route>
              <Route path={`${PROJECT}/annotation/:id/pairs`}>
                <PairsPage id={id} />
              </Route>
              <Route path={`${PROJECT}/datasets`} component={DatasetsPage} />
              <Route path={`${PROJECT}/datasets/:id`}>
                <DatasetPage id={id} />
              </Route>
              <Route path={`${PROJECT}/prompts`} component={PromptsPage} />
              <Route path={`${PROJECT}/prompts/:id`}>
                <PromptPage key={id} id={id} />
              </Route>
              <Route path={`${PROJECT}/objects`} component={ObjectsPage} />
              <Route path={`${PROJECT}/objects/:id`}>
                <ObjectPage id={id} />
              </Route>
              <Route path={`${PROJECT}/evaluations`} component={EvaluationsPage} />
              <Route path={`${PROJECT}/evaluations/compare`} component={ComparePage} />
              <Route path={`${PROJECT}/gates`} component={GatesPage} />
              <Route path={`${PROJECT}/gates/:id`}>
                <GatePage key={`${ofPath}/${project}/${id}`} id={id} />
              </Route>
              <Route path={`${PROJECT}/scorers`} component={ScorersPage} />
              <Route path={`${PROJECT}/scorers/:id`}>
                <ScorerPage key={`${ofPath}/${project}/${id}`} id={id} />
              </Route>
              <Route path={`${PROJECT}/threads`} component={ThreadsPage} />
              <Route path={`${PROJECT}/threads/:id`}>
                <ThreadPage id={id} />
              </Route>
              <Route path={`${PROJECT}/feedback`} component={FeedbackPage} />
              <Route path={`${PROJECT}/training`} component={TrainingPage} />
              <Route path={`${PROJECT}/training/new`} component={NewJobPage} />
              <Route path={`${PROJECT}/training/compare`} component={CompareJobsPage} />
              <Route path={`${PROJECT}/training/models/:id`}>
                <ModelPage id={ofTraining} />
              </Route>
              <Route path={`${PROJECT}/training/jobs/:id`}>
                <JobPage key={ofTraining} id={ofTraining} />
              </Route>
              <Route path={`${PROJECT}/improvements`} component={ImprovementsPage} />
              <Route path={`${PROJECT}/improvements/:id`}>
                <ImprovementPage key={`${ofPath}/${project}/${id}`} id={id} />
              </Route>
              <Route path={`${PROJECT}/pipelines`} component={PipelinesPage} />
              <Route path={`${PROJECT}/pipelines/:id`}>
                <PipelinePage key={`${ofPath}/${project}/${id}`} id={id} />
              </Route>
              <Route path={`${PROJECT}/playground`} component={PlaygroundPage} />
              <Route path={`${PROJECT}/usage`} component={UsagePage} />
              <Route path={`${PROJECT}/gateway`} component={GatewayPage} />
              <Route path={`${PROJECT}/settings`} component={SettingsPage} />
              <Route>
                <NoSuchPage />
              </Route>
            </Switch>
          </Suspense>
        </ProjectShell>
      </Route>
      <Route>
        <NoSuchPage />
      </Route>
    </Switch>
  );
}

const NoSuchPage = () => (
  <Page title="Not found">
    <EmptyNote title="There is no such page">
      <p>The address may be cut, or of a later version of Hone.</p>
      <p>
        <ButtonLink to="/">Go to Home</ButtonLink>
      </p>
    </EmptyNote>
  </Page>
);
