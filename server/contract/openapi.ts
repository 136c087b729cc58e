// Types for the parts of an OpenAPI 3.1 document that we write and read.

import type { JsonSchema } from "./reader.ts";

/** Each of them is enough; one of several schemes needs all of these. None: no credentials are needed. */
export type OpenApiSecurity = readonly Readonly<
  Record<string, readonly string[]>
>[];

export interface OpenApi {
  readonly openapi: "3.1.0";
  readonly info: Readonly<Record<"title" | "version" | "description", string>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly {
    readonly name: string;
    readonly description: string;
  }[];
  readonly security: OpenApiSecurity;
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, OpenApiOperation>>>
  >;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
  };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly "x-rules": readonly string[];
  /** Who may call it, as a sentence. */
  readonly "x-permission"?: string;
  /** Where it isn't that of the whole description. */
  readonly security?: OpenApiSecurity;
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: OpenApiRequest;
  readonly responses: Readonly<Record<string, OpenApiResponse | JsonSchema>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: string;
}

export interface OpenApiRequest {
  readonly required: boolean;
  readonly content: Readonly<Record<string, OpenApiContent>>;
}

export interface OpenApiContent {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

export interface OpenApiHeader {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, OpenApiHeader>>;
  readonly content?: Readonly<Record<string, OpenApiContent>>;
}
