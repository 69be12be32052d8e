/** Version of this app, as `GET /version` and the OpenAPI document report it; a test compares it with `package.json`. */
export const VERSION = '0.2.0';
