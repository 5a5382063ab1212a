import { Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';

import { traceQuery } from '../features/calls/trace-query.js';
import { projectOf, toProject } from '../shared/data/project.js';
import { EmptyNote, Loading } from '../shared/ui/notes.js';
import { lazy } from './lazy.js';
import { ProjectShell } from './project-shell.js';
import { queries } from './queries.js';
import { segmentsOf } from './segments.js';
import { SESSION_QUERY, useSession } from '../shared/data/session.js';
import { endSpareWorker, expectLargePayload } from '../shared/payload/large-payload.js';
import { callQuery } from '../shared/payload/use-call.js';

// A page's code comes when it is first opened.
const HomePage = lazy(() => import('../features/home/home-page.js'));
const CallsPage = lazy(() => import('../features/calls/calls-page.js'));
const CallPage = lazy(() => import('../features/calls/call-page.js'));
const TrainingPage = lazy(() => import('../features/training/training-page.js'));
const ModelPage = lazy(() => import('../features/training/model-page.js'));
const NewJobPage = lazy(() => import('../features/training/new-job/new-job-page.js'));
const CompareJobsPage = lazy(() => import('../features/training/compare/compare-page.js'));
const JobPage = lazy(() => import('../features/training/job-page.js'));
const PlaygroundPage = lazy(() => import('../features/playground/playground-page.js'));
const UsagePage = lazy(() => import('../features/usage/usage-page.js'));
const GatewayPage = lazy(() => import('../features/gateway/gateway-page.js'));
const SettingsPage = lazy(() => import('../features/settings/settings-page.js'));

const AnnotationPage = lazy(() => import('../features/annotation/annotation-page.js'));
const QueuePage = lazy(() => import('../features/annotation/queue-page.js'));
const WorkPage = lazy(() => import('../features/annotation/work-page.js'));
const DatasetsPage = lazy(() => import('../features/datasets/datasets-page.js'));
const DatasetPage = lazy(() => import('../features/datasets/dataset-page.js'));
const ObjectsPage = lazy(() => import('../features/objects/objects-page.js'));
const ObjectPage = lazy(() => import('../features/objects/object-page.js'));
const EvaluationsPage = lazy(() => import('../features/evaluations/evaluations-page.js'));
const ComparePage = lazy(() => import('../features/evaluations/compare-page.js'));
const ThreadsPage = lazy(() => import('../features/threads/threads-page.js'));
const ThreadPage = lazy(() => import('../features/threads/thread-page.js'));
const FeedbackPage = lazy(() => import('../features/feedback/feedback-page.js'));

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
              <Route path={`${PROJECT}/datasets`} component={DatasetsPage} />
              <Route path={`${PROJECT}/datasets/:id`}>
                <DatasetPage id={id} />
              </Route>
              <Route path={`${PROJECT}/objects`} component={ObjectsPage} />
              <Route path={`${PROJECT}/objects/:id`}>
                <ObjectPage id={id} />
              </Route>
              <Route path={`${PROJECT}/evaluations`} component={EvaluationsPage} />
              <Route path={`${PROJECT}/evaluations/compare`} component={ComparePage} />
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
  <EmptyNote title="There is no such page">
    <p>The address may be cut, or of a later version of Hone.</p>
  </EmptyNote>
);
