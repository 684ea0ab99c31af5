/** The parts of GitHub and of the machine that `kodiai setup` uses. compose/setup.ts implements them. */

/** Credentials of an app. They are written to the settings file and nowhere else. */
export type AppCredentials = { readonly appId: number; readonly privateKeyPem: string };

export type CreatedApp = AppCredentials & {
  readonly webhookSecret: string;
  /** With which people sign in to the dashboard. */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly slug: string;
  /** The app's public page. */
  readonly pageUrl: string;
};

export type IdentifiedApp = Pick<CreatedApp, "slug" | "pageUrl"> & {
  /** Required permissions and events that the app doesn't have, as GitHub's settings name them. */
  readonly missing: readonly string[];
};

export type NewAppRequest = {
  readonly name: string;
  /** Null for the account of the person who creates it. */
  readonly organization: string | null;
  readonly webhookUrl: string;
  readonly redirectUrl: string;
  /** Where GitHub may send browsers after a sign-in. */
  readonly callbackUrls: readonly string[];
  /** With the optional permissions. */
  readonly isComplete: boolean;
};

/** A form that the person's browser posts to GitHub. */
export type NewAppForm = {
  /** Without the state, which is added as a parameter. */
  readonly action: string;
  readonly manifest: string;
  /** For people: each permission with its reason. */
  readonly permissions: readonly string[];
};

export type AppInstallation = { readonly account: string; readonly repositories: readonly string[] };

export type Registrar = {
  readonly apiUrl: string;
  composeForm(request: NewAppRequest): NewAppForm;
  /** Null if the code was used, has expired, or isn't one of GitHub's. */
  convertCode(code: string): Promise<CreatedApp | null>;
  /** Null if GitHub doesn't accept the credentials. */
  identifyApp(credentials: AppCredentials): Promise<IdentifiedApp | null>;
  listInstallations(credentials: AppCredentials): Promise<readonly AppInstallation[]>;
};

/** A file of settings that only its owner can read. */
export type EnvFile = {
  readonly path: string;
  /** "" if it doesn't exist. */
  read(): Promise<string>;
  /** Replaces it at once. */
  write(text: string): Promise<void>;
  /** Throws if the file can't be written. */
  requireWritable(): Promise<void>;
};

export type CliSetup = {
  /** Takes the address that people open, such as `https://github.com`. */
  readonly openRegistrar: (webUrl: string) => Promise<Registrar>;
  readonly openEnvFile: (path: string) => Promise<EnvFile>;
  /** Creates a channel of a webhook relay. Returns its address. */
  readonly createRelayChannel: (url: string) => Promise<string>;
  /** False if this machine has no browser that it could open. */
  readonly openBrowser: (url: string) => Promise<boolean>;
  /** Reads one line from standard input; null if it has ended. */
  readonly readLine: () => Promise<string | null>;
};
