/** Trace notifies, the gateway listens: the settings of a project changed. Payload: row id of the project. */
export const PROJECT_SETTINGS_CHANNEL = 'project_settings';
