// Instructions to connect an application, for each API and client SDK: the packages and example code.
import type { TokenKind } from '@/api/generated/types';

/** The APIs of this server. Client SDKs of servers read definitions; the others receive results only. */
export const sdkApis = ['server', 'browser', 'openFeature'] as const;
export type SdkApi = (typeof sdkApis)[number];

/** URLs of this server. */
interface ServerUrls {
  /** URL of the console, without a trailing slash. */
  base: string;
  /** URL of the API, with a trailing slash. */
  api: string;
}

/** Values of the example code. */
interface SnippetValues extends ServerUrls {
  /** Name of the application. */
  app: string;
  toggle: string;
  /** Token of the application, or a placeholder. */
  token: string;
}

export interface Sdk {
  label: string;
  /** Shell command or line of the build file. */
  install: string;
  /** Kind of its tokens. */
  tokenKind: TokenKind;
  /** Expression that evaluates a toggle, a part of `code`. */
  call: (toggle: string) => string;
  code: (values: SnippetValues) => string;
}

const serverSdks: readonly Sdk[] = [
  {
    label: 'Node.js',
    install: 'npm install unleash-client',
    tokenKind: 'client',
    call: (toggle) => `unleash.isEnabled(${single(toggle)})`,
    code: (values) => nodeCode(values),
  },
  {
    label: 'Node.js, streaming',
    install: 'npm install unleash-client',
    tokenKind: 'client',
    call: (toggle) => `unleash.isEnabled(${single(toggle)})`,
    code: (values) => nodeCode(values, "\n  experimentalMode: { type: 'streaming' },"),
  },
  {
    label: 'Java',
    install: 'implementation("io.getunleash:unleash-client-java:+")',
    tokenKind: 'client',
    call: (toggle) => `unleash.isEnabled(${double(toggle)})`,
    code: ({ api, app, toggle, token }) => `import io.getunleash.DefaultUnleash;
import io.getunleash.Unleash;
import io.getunleash.util.UnleashConfig;

UnleashConfig config = UnleashConfig.builder()
    .appName(${double(app)})
    .instanceId(${double(`${app}-1`)})
    .unleashAPI("${api}")
    .apiKey(${double(token)})
    .synchronousFetchOnInitialisation(true)
    .build();
Unleash unleash = new DefaultUnleash(config);

System.out.println(unleash.isEnabled(${double(toggle)}));`,
  },
  {
    label: 'Go',
    install: 'go get github.com/Unleash/unleash-client-go/v4',
    tokenKind: 'client',
    call: (toggle) => `unleash.IsEnabled(${double(toggle)})`,
    code: ({ api, app, toggle, token }) => `import (
	"fmt"
	"net/http"

	"github.com/Unleash/unleash-client-go/v4"
)

func main() {
	unleash.Initialize(
		unleash.WithAppName(${double(app)}),
		unleash.WithUrl("${api}"),
		unleash.WithCustomHeaders(http.Header{"Authorization": {${double(token)}}}),
		unleash.WithListener(&unleash.DebugListener{}),
	)
	unleash.WaitForReady()

	fmt.Println(unleash.IsEnabled(${double(toggle)}))
}`,
  },
  {
    label: 'Python',
    install: 'pip install UnleashClient',
    tokenKind: 'client',
    call: (toggle) => `client.is_enabled(${double(toggle)})`,
    code: ({ api, app, toggle, token }) => `from UnleashClient import UnleashClient

headers = {"Authorization": ${double(token)}}
client = UnleashClient(
    url="${withoutTrailingSlash(api)}",
    app_name=${double(app)},
    custom_headers=headers,
)
client.initialize_client()

print(client.is_enabled(${double(toggle)}))`,
  },
  {
    label: '.NET',
    install: 'dotnet add package Unleash.Client',
    tokenKind: 'client',
    call: (toggle) => `unleash.IsEnabled(${double(toggle)})`,
    code: ({ api, app, toggle, token }) => `using Unleash;

var settings = new UnleashSettings
{
    AppName = ${double(app)},
    InstanceTag = ${double(`${app}-1`)},
    UnleashApi = new Uri("${api}"),
    CustomHttpHeaders = new Dictionary<string, string> { ["Authorization"] = ${double(token)} },
};
IUnleash unleash = new DefaultUnleash(settings);

Console.WriteLine(unleash.IsEnabled(${double(toggle)}));`,
  },
  {
    label: 'Ruby',
    install: 'gem install unleash',
    tokenKind: 'client',
    call: (toggle) => `unleash.is_enabled?(${single(toggle)})`,
    code: ({ api, app, toggle, token }) => `require 'unleash'

headers = { 'Authorization' => ${single(token)} }
unleash = Unleash::Client.new(
  url: '${withoutTrailingSlash(api)}',
  app_name: ${single(app)},
  custom_http_headers: headers,
)

puts unleash.is_enabled?(${single(toggle)})`,
  },
];

const browserSdks: readonly Sdk[] = [
  {
    label: 'JavaScript',
    install: 'npm install unleash-proxy-client',
    tokenKind: 'frontend',
    call: (toggle) => `unleash.isEnabled(${single(toggle)})`,
    code: ({ api, app, toggle, token }) => `import { UnleashClient } from 'unleash-proxy-client';

const unleash = new UnleashClient({
  url: '${api}frontend',
  clientKey: ${single(token)},
  appName: ${single(app)},
});
await unleash.start();

console.log(unleash.isEnabled(${single(toggle)}));`,
  },
  {
    label: 'React',
    install: 'npm install @unleash/proxy-client-react unleash-proxy-client',
    tokenKind: 'frontend',
    call: (toggle) => `useFlag(${single(toggle)})`,
    code: ({ api, app, toggle, token }) => `import { FlagProvider, useFlag } from '@unleash/proxy-client-react';

const config = {
  url: '${api}frontend',
  clientKey: ${single(token)},
  appName: ${single(app)},
};

export function App() {
  return <FlagProvider config={config}><Page /></FlagProvider>;
}

function Page() {
  return <p>{useFlag(${single(toggle)}) ? 'on' : 'off'}</p>;
}`,
  },
];

const openFeatureSdks: readonly Sdk[] = [
  {
    label: 'Web',
    install: 'npm install @openfeature/web-sdk @openfeature/ofrep-web-provider',
    tokenKind: 'frontend',
    call: (toggle) => `OpenFeature.getClient().getBooleanValue(${single(toggle)}, false)`,
    code: ({ base, toggle, token }) => `import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature } from '@openfeature/web-sdk';

const headers = [['Authorization', ${single(`Bearer ${token}`)}]];
const provider = new OFREPWebProvider({ baseUrl: '${base}', headers });
await OpenFeature.setProviderAndWait(provider, { targetingKey: 'user-1' });

console.log(OpenFeature.getClient().getBooleanValue(${single(toggle)}, false));`,
  },
  {
    label: 'Node.js',
    install: 'npm install @openfeature/server-sdk @openfeature/ofrep-provider',
    tokenKind: 'client',
    call: (toggle) => `OpenFeature.getClient().getBooleanValue(${single(toggle)}, false, user)`,
    code: ({ base, toggle, token }) => `import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';

const headers = [['Authorization', ${single(`Bearer ${token}`)}]];
const provider = new OFREPProvider({ baseUrl: '${base}', headers });
await OpenFeature.setProviderAndWait(provider);

const user = { targetingKey: 'user-1' };
console.log(await OpenFeature.getClient().getBooleanValue(${single(toggle)}, false, user));`,
  },
  {
    label: 'Python',
    install: 'pip install openfeature-sdk openfeature-provider-ofrep',
    tokenKind: 'client',
    call: (toggle) => `api.get_client().get_boolean_value(${double(toggle)}, False, user)`,
    code: ({ base, toggle, token }) => `from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

headers = {"Authorization": ${double(`Bearer ${token}`)}}
api.set_provider(OFREPProvider("${base}", headers_factory=lambda: headers))

user = EvaluationContext("user-1")
print(api.get_client().get_boolean_value(${double(toggle)}, False, user))`,
  },
];

export const sdksOf: { readonly [api in SdkApi]: readonly Sdk[] } = {
  server: serverSdks,
  browser: browserSdks,
  openFeature: openFeatureSdks,
};

function nodeCode({ api, app, toggle, token }: SnippetValues, more = ''): string {
  return `import { initialize } from 'unleash-client';

const unleash = initialize({
  url: '${api}',
  appName: ${single(app)},
  customHeaders: { Authorization: ${single(token)} },${more}
});

unleash.on('synchronized', () => {
  console.log(unleash.isEnabled(${single(toggle)}));
});`;
}

/** Some SDKs add the slash themselves. */
function withoutTrailingSlash(api: string): string {
  return api.replace(/\/$/, '');
}

/** A string literal in double quotes, for all these languages. */
function double(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/** A string literal in single quotes, for JavaScript and Ruby. */
function single(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
