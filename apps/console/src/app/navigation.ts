import { ChartSpline, House, ListChecks, MessageSquare, Receipt, Settings, Workflow } from 'lucide-react';

/** The pages of a project, in the order in which the navigation shows them. */
export const PAGES = [
  { page: '', label: 'Home', Icon: House },
  { page: 'calls', label: 'Calls', Icon: Workflow },
  { page: 'annotation', label: 'Annotation', Icon: ListChecks },
  { page: 'training', label: 'Training', Icon: ChartSpline },
  { page: 'playground', label: 'Playground', Icon: MessageSquare },
  { page: 'usage', label: 'Usage', Icon: Receipt },
  { page: 'settings', label: 'Settings', Icon: Settings },
] as const;
