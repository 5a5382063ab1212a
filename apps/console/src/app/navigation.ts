import {
  Box,
  ChartSpline,
  Database,
  House,
  ListChecks,
  MessageSquare,
  MessagesSquare,
  Network,
  Receipt,
  Scale,
  Settings,
  SquarePen,
  ThumbsUp,
  Workflow,
} from 'lucide-react';

/** The pages of a project, in the order in which the navigation shows them. */
export const PAGES = [
  { page: '', label: 'Home', Icon: House },
  { page: 'calls', label: 'Calls', Icon: Workflow },
  { page: 'threads', label: 'Threads', Icon: MessagesSquare },
  { page: 'feedback', label: 'Feedback', Icon: ThumbsUp },
  { page: 'annotation', label: 'Annotation', Icon: ListChecks },
  { page: 'datasets', label: 'Datasets', Icon: Database },
  { page: 'evaluations', label: 'Evaluations', Icon: Scale },
  { page: 'prompts', label: 'Prompts', Icon: SquarePen },
  { page: 'objects', label: 'Objects', Icon: Box },
  { page: 'training', label: 'Training', Icon: ChartSpline },
  { page: 'playground', label: 'Playground', Icon: MessageSquare },
  { page: 'usage', label: 'Usage', Icon: Receipt },
  { page: 'gateway', label: 'Gateway', Icon: Network },
  { page: 'settings', label: 'Settings', Icon: Settings },
] as const;
