import type { BiasReportCreateDto } from '@hone/client';

/** What a bias report is about: a criterion of a version of a scorer, and people's labels of it. */
export type Judged = Pick<BiasReportCreateDto, 'project_id' | 'scorer' | 'criterion' | 'truth'>;

/** What is asked of it beside that: probes, and how much they may cost. */
export type BiasOrder = Omit<BiasReportCreateDto, keyof Judged>;
