// Languages in which the service sends emails (V4-415).

export const mailLanguages = ["en", "de"] as const;
export type MailLanguage = (typeof mailLanguages)[number];
