// OpenAPI documents, as far as everybody needs them.

/** An OpenAPI v2 (Swagger) document. */
export interface OpenAPIV2Document {
  readonly swagger: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, unknown>>
  /** By name: `io.k8s.api.apps.v1.Deployment`. */
  readonly definitions: Readonly<Record<string, unknown>>
}

/** An OpenAPI v3 document. */
export interface OpenAPIV3Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths?: Readonly<Record<string, unknown>>
  readonly components?: {
    /** By name: `io.k8s.api.apps.v1.Deployment`. */
    readonly schemas?: Readonly<Record<string, unknown>>
  }
}
