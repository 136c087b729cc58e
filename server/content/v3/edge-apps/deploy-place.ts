// Identifies the app and team that a deployment or preview is for.

export interface Place {
  readonly team: string;
  readonly app: string;
}
