/** Made of the OpenAPI document by generate-endpoints.mjs. */
import type {
  BiasReportCreateDto,
  BiasReportDto,
  CompareQueryDto,
  ComparisonDto,
  EmptyResultDto,
  EvaluationJobCreateDto,
  EvaluationJobDto,
  EvaluationJobPageDto,
  GateCreateDto,
  GateDto,
  GatePageDto,
  GradeDto,
  GradeResultDto,
  ImproveDto,
  ImprovementDto,
  ImprovementPageDto,
  JudgeReportDto,
  JudgeReportQueryDto,
  LabelPlanDto,
  LabelPlanQueryDto,
  LabelQueueCreateDto,
  LabelQueueDto,
  MonitorCreateDto,
  MonitorDto,
  MonitorListDto,
  MonitorUpdateDto,
  PipelineCreateDto,
  PipelineDto,
  PipelineListDto,
  PipelineRunDto,
  PipelineRunPageDto,
  PipelineUpdateDto,
  PromptEditCreateDto,
  PromptEditDto,
  PromptEditPageDto,
  ScorerKindListDto,
  ScorerLibraryDto,
  ScoringCreateDto,
  ScoringDto,
  ScoringPageDto,
  TryScorerDto,
  TryScorerResultDto,
} from '@hone/contracts';

import type { RequestOptions } from '../transport/request-options.js';

export interface EvaluationEndpoints {
  /** List the kinds of scorers, with what each asks for: `GET /evaluation/scorer-kinds`. */
  listScorerKinds(options?: RequestOptions): Promise<ScorerKindListDto>;
  /** List ready scorers, to store as they are or changed: `GET /evaluation/scorer-library`. */
  listScorerLibrary(params?: { model?: string }, options?: RequestOptions): Promise<ScorerLibraryDto>;
  /** Judge a few calls without storing what is found: `POST /evaluation/scorers/try`. */
  tryScorer(body: TryScorerDto, options?: RequestOptions): Promise<TryScorerResultDto>;
  /** Grade answers without storing them or what is found: `POST /evaluation/scorers/grade`. */
  gradeAnswers(body: GradeDto, options?: RequestOptions): Promise<GradeResultDto>;
  /** List the scorings of a project: `GET /evaluation/scorings`. */
  listScorings(params: { project_id: string; cursor?: string }, options?: RequestOptions): Promise<ScoringPageDto>;
  /** Judge calls with a scorer: `POST /evaluation/scorings`. */
  createScoring(body: ScoringCreateDto, options?: RequestOptions): Promise<ScoringDto>;
  /** Read a scoring: `GET /evaluation/scorings/{scoring_id}`. */
  getScoring(params: { scoring_id: string }, options?: RequestOptions): Promise<ScoringDto>;
  /** Cancel a scoring; what was judged stays: `POST /evaluation/scorings/{scoring_id}/cancel`. */
  cancelScoring(params: { scoring_id: string }, options?: RequestOptions): Promise<ScoringDto>;
  /** Judge the calls that failed once more: `POST /evaluation/scorings/{scoring_id}/retry`. */
  retryScoring(params: { scoring_id: string }, options?: RequestOptions): Promise<ScoringDto>;
  /** List the monitors of a project: `GET /evaluation/monitors`. */
  listMonitors(params: { project_id: string }, options?: RequestOptions): Promise<MonitorListDto>;
  /** Judge new calls as they come: `POST /evaluation/monitors`. */
  createMonitor(body: MonitorCreateDto, options?: RequestOptions): Promise<MonitorDto>;
  /** Read a monitor: `GET /evaluation/monitors/{monitor_id}`. */
  getMonitor(params: { monitor_id: string }, options?: RequestOptions): Promise<MonitorDto>;
  /** Change, pause or resume a monitor: `PUT /evaluation/monitors/{monitor_id}`. */
  updateMonitor(params: { monitor_id: string }, body: MonitorUpdateDto, options?: RequestOptions): Promise<MonitorDto>;
  /** Delete a monitor; what it judged stays: `DELETE /evaluation/monitors/{monitor_id}`. */
  deleteMonitor(params: { monitor_id: string }, options?: RequestOptions): Promise<EmptyResultDto>;
  /** List the evaluations that the server runs: `GET /evaluation/runs`. */
  listEvaluationJobs(
    params: { project_id: string; cursor?: string },
    options?: RequestOptions,
  ): Promise<EvaluationJobPageDto>;
  /** Evaluate models or prompts on a dataset: `POST /evaluation/runs`. */
  createEvaluationJob(body: EvaluationJobCreateDto, options?: RequestOptions): Promise<EvaluationJobDto>;
  /** Read an evaluation that the server runs: `GET /evaluation/runs/{job_id}`. */
  getEvaluationJob(params: { job_id: string }, options?: RequestOptions): Promise<EvaluationJobDto>;
  /** Cancel an evaluation; what was answered and scored stays: `POST /evaluation/runs/{job_id}/cancel`. */
  cancelEvaluationJob(params: { job_id: string }, options?: RequestOptions): Promise<EvaluationJobDto>;
  /** Try the answers and scores that failed once more: `POST /evaluation/runs/{job_id}/retry`. */
  retryEvaluationJob(params: { job_id: string }, options?: RequestOptions): Promise<EvaluationJobDto>;
  /** Report the mean of a criterion, and how far its judge can be trusted: `POST /evaluation/reports`. */
  reportJudge(body: JudgeReportQueryDto, options?: RequestOptions): Promise<JudgeReportDto>;
  /** Compare evaluation runs by paired statistics: `POST /evaluation/compare`. */
  compareRuns(body: CompareQueryDto, options?: RequestOptions): Promise<ComparisonDto>;
  /** Say how many labels make a mean known within a width: `POST /evaluation/label-plans`. */
  planLabels(body: LabelPlanQueryDto, options?: RequestOptions): Promise<LabelPlanDto>;
  /** Draw calls for labelling into an annotation queue: `POST /evaluation/label-queues`. */
  createLabelQueue(body: LabelQueueCreateDto, options?: RequestOptions): Promise<LabelQueueDto>;
  /** List the gates of a project: `GET /evaluation/gates`. */
  listGates(params: { project_id: string; cursor?: string }, options?: RequestOptions): Promise<GatePageDto>;
  /** Decide whether a candidate is better: `POST /evaluation/gates`. */
  createGate(body: GateCreateDto, options?: RequestOptions): Promise<GateDto>;
  /** Read a gate: `GET /evaluation/gates/{gate_id}`. */
  getGate(params: { gate_id: string }, options?: RequestOptions): Promise<GateDto>;
  /** Cancel a gate; what it saw stays: `POST /evaluation/gates/{gate_id}/cancel`. */
  cancelGate(params: { gate_id: string }, options?: RequestOptions): Promise<GateDto>;
  /** List the pipelines of a project: `GET /evaluation/pipelines`. */
  listPipelines(params: { project_id: string }, options?: RequestOptions): Promise<PipelineListDto>;
  /** Let a model be improved by itself: `POST /evaluation/pipelines`. */
  createPipeline(body: PipelineCreateDto, options?: RequestOptions): Promise<PipelineDto>;
  /** Read a pipeline: `GET /evaluation/pipelines/{pipeline_id}`. */
  getPipeline(params: { pipeline_id: string }, options?: RequestOptions): Promise<PipelineDto>;
  /** Pause or resume a pipeline: `PUT /evaluation/pipelines/{pipeline_id}`. */
  updatePipeline(
    params: { pipeline_id: string },
    body: PipelineUpdateDto,
    options?: RequestOptions,
  ): Promise<PipelineDto>;
  /** Delete a pipeline; what it trained and promoted stays: `DELETE /evaluation/pipelines/{pipeline_id}`. */
  deletePipeline(params: { pipeline_id: string }, options?: RequestOptions): Promise<EmptyResultDto>;
  /** List the runs of a pipeline: `GET /evaluation/pipelines/{pipeline_id}/runs`. */
  listPipelineRuns(
    params: { pipeline_id: string; cursor?: string },
    options?: RequestOptions,
  ): Promise<PipelineRunPageDto>;
  /** Run a pipeline now: `POST /evaluation/pipelines/{pipeline_id}/runs`. */
  startPipelineRun(params: { pipeline_id: string }, options?: RequestOptions): Promise<PipelineRunDto>;
  /** Read a run of a pipeline: `GET /evaluation/pipeline-runs/{run_id}`. */
  getPipelineRun(params: { run_id: string }, options?: RequestOptions): Promise<PipelineRunDto>;
  /** Cancel a run, with what it works on: `POST /evaluation/pipeline-runs/{run_id}/cancel`. */
  cancelPipelineRun(params: { run_id: string }, options?: RequestOptions): Promise<PipelineRunDto>;
  /** Make a model better by its judged calls: `POST /evaluation/improve`. */
  improveModel(body: ImproveDto, options?: RequestOptions): Promise<ImprovementDto>;
  /** List the improvements of a project: `GET /evaluation/improvements`. */
  listImprovements(
    params: { project_id: string; cursor?: string },
    options?: RequestOptions,
  ): Promise<ImprovementPageDto>;
  /** Read an improvement: `GET /evaluation/improvements/{improvement_id}`. */
  getImprovement(params: { improvement_id: string }, options?: RequestOptions): Promise<ImprovementDto>;
  /** Cancel an improvement, with what it works on: `POST /evaluation/improvements/{improvement_id}/cancel`. */
  cancelImprovement(params: { improvement_id: string }, options?: RequestOptions): Promise<ImprovementDto>;
  /** List the edits of prompts of a project: `GET /evaluation/prompt-edits`. */
  listPromptEdits(
    params: { project_id: string; cursor?: string },
    options?: RequestOptions,
  ): Promise<PromptEditPageDto>;
  /** Let a model edit a prompt after reading where it failed: `POST /evaluation/prompt-edits`. */
  createPromptEdit(body: PromptEditCreateDto, options?: RequestOptions): Promise<PromptEditDto>;
  /** Read an edit of a prompt: `GET /evaluation/prompt-edits/{prompt_edit_id}`. */
  getPromptEdit(params: { prompt_edit_id: string }, options?: RequestOptions): Promise<PromptEditDto>;
  /** Cancel an edit of a prompt; what was answered and scored stays: `POST /evaluation/prompt-edits/{prompt_edit_id}/cancel`. */
  cancelPromptEdit(params: { prompt_edit_id: string }, options?: RequestOptions): Promise<PromptEditDto>;
  /** Report how a judge may be biased, and probe it: `POST /evaluation/bias-reports`. */
  createBiasReport(body: BiasReportCreateDto, options?: RequestOptions): Promise<BiasReportDto>;
  /** Read how a judge may be biased: `GET /evaluation/bias-reports/{bias_report_id}`. */
  getBiasReport(params: { bias_report_id: string }, options?: RequestOptions): Promise<BiasReportDto>;
}

/** What sends each: method, flags (see `toMethod`) and path. */
export const EVALUATION = {
  listScorerKinds: 'GET jr /evaluation/scorer-kinds',
  listScorerLibrary: 'GET jpr /evaluation/scorer-library',
  tryScorer: 'POST jd /evaluation/scorers/try',
  gradeAnswers: 'POST jd /evaluation/scorers/grade',
  listScorings: 'GET jpr /evaluation/scorings',
  createScoring: 'POST jkd /evaluation/scorings',
  getScoring: 'GET jpr /evaluation/scorings/{scoring_id}',
  cancelScoring: 'POST jpk /evaluation/scorings/{scoring_id}/cancel',
  retryScoring: 'POST jpk /evaluation/scorings/{scoring_id}/retry',
  listMonitors: 'GET jpr /evaluation/monitors',
  createMonitor: 'POST jkd /evaluation/monitors',
  getMonitor: 'GET jpr /evaluation/monitors/{monitor_id}',
  updateMonitor: 'PUT jprd /evaluation/monitors/{monitor_id}',
  deleteMonitor: 'DELETE jpr /evaluation/monitors/{monitor_id}',
  listEvaluationJobs: 'GET jpr /evaluation/runs',
  createEvaluationJob: 'POST jkd /evaluation/runs',
  getEvaluationJob: 'GET jpr /evaluation/runs/{job_id}',
  cancelEvaluationJob: 'POST jpk /evaluation/runs/{job_id}/cancel',
  retryEvaluationJob: 'POST jpk /evaluation/runs/{job_id}/retry',
  reportJudge: 'POST jd /evaluation/reports',
  compareRuns: 'POST jd /evaluation/compare',
  planLabels: 'POST jd /evaluation/label-plans',
  createLabelQueue: 'POST jkd /evaluation/label-queues',
  listGates: 'GET jpr /evaluation/gates',
  createGate: 'POST jkd /evaluation/gates',
  getGate: 'GET jpr /evaluation/gates/{gate_id}',
  cancelGate: 'POST jpk /evaluation/gates/{gate_id}/cancel',
  listPipelines: 'GET jpr /evaluation/pipelines',
  createPipeline: 'POST jkd /evaluation/pipelines',
  getPipeline: 'GET jpr /evaluation/pipelines/{pipeline_id}',
  updatePipeline: 'PUT jprd /evaluation/pipelines/{pipeline_id}',
  deletePipeline: 'DELETE jpr /evaluation/pipelines/{pipeline_id}',
  listPipelineRuns: 'GET jpr /evaluation/pipelines/{pipeline_id}/runs',
  startPipelineRun: 'POST jpk /evaluation/pipelines/{pipeline_id}/runs',
  getPipelineRun: 'GET jpr /evaluation/pipeline-runs/{run_id}',
  cancelPipelineRun: 'POST jpk /evaluation/pipeline-runs/{run_id}/cancel',
  improveModel: 'POST jkd /evaluation/improve',
  listImprovements: 'GET jpr /evaluation/improvements',
  getImprovement: 'GET jpr /evaluation/improvements/{improvement_id}',
  cancelImprovement: 'POST jpk /evaluation/improvements/{improvement_id}/cancel',
  listPromptEdits: 'GET jpr /evaluation/prompt-edits',
  createPromptEdit: 'POST jkd /evaluation/prompt-edits',
  getPromptEdit: 'GET jpr /evaluation/prompt-edits/{prompt_edit_id}',
  cancelPromptEdit: 'POST jpk /evaluation/prompt-edits/{prompt_edit_id}/cancel',
  createBiasReport: 'POST jkd /evaluation/bias-reports',
  getBiasReport: 'GET jpr /evaluation/bias-reports/{bias_report_id}',
} as const;
