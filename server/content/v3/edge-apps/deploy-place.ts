// Which app of which team a deploy or a preview is about.

export interface Place {
  readonly team: string;
  readonly app: string;
}
