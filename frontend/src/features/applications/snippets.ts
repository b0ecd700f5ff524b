// Instructions to connect an application, for each API and client SDK: the packages and example code.

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

/** `TOKEN` in the code stands for the token of the application. */
export interface Sdk {
  label: string;
  /** Shell command or line of the build file. */
  install: string;
  code: (urls: ServerUrls) => string;
}

const serverSdks: readonly Sdk[] = [
  {
    label: 'Node.js',
    install: 'npm install unleash-client',
    code: ({ api }) => nodeCode(api),
  },
  {
    label: 'Node.js, streaming',
    install: 'npm install unleash-client',
    code: ({ api }) => nodeCode(api, "\n  experimentalMode: { type: 'streaming' },"),
  },
  {
    label: 'Java',
    install: 'implementation("io.getunleash:unleash-client-java:+")',
    code: ({ api }) => `import io.getunleash.DefaultUnleash;
import io.getunleash.Unleash;
import io.getunleash.util.UnleashConfig;

UnleashConfig config = UnleashConfig.builder()
    .appName("my-app")
    .instanceId("my-app-1")
    .unleashAPI("${api}")
    .apiKey("TOKEN")
    .synchronousFetchOnInitialisation(true)
    .build();
Unleash unleash = new DefaultUnleash(config);

System.out.println(unleash.isEnabled("my.toggle"));`,
  },
  {
    label: 'Go',
    install: 'go get github.com/Unleash/unleash-client-go/v4',
    code: ({ api }) => `import (
	"fmt"
	"net/http"

	"github.com/Unleash/unleash-client-go/v4"
)

func main() {
	unleash.Initialize(
		unleash.WithAppName("my-app"),
		unleash.WithUrl("${api}"),
		unleash.WithCustomHeaders(http.Header{"Authorization": {"TOKEN"}}),
		unleash.WithListener(&unleash.DebugListener{}),
	)
	unleash.WaitForReady()

	fmt.Println(unleash.IsEnabled("my.toggle"))
}`,
  },
  {
    label: 'Python',
    install: 'pip install UnleashClient',
    code: ({ api }) => `from UnleashClient import UnleashClient

headers = {"Authorization": "TOKEN"}
client = UnleashClient(
    url="${withoutTrailingSlash(api)}",
    app_name="my-app",
    custom_headers=headers,
)
client.initialize_client()

print(client.is_enabled("my.toggle"))`,
  },
  {
    label: '.NET',
    install: 'dotnet add package Unleash.Client',
    code: ({ api }) => `using Unleash;

var settings = new UnleashSettings
{
    AppName = "my-app",
    InstanceTag = "my-app-1",
    UnleashApi = new Uri("${api}"),
    CustomHttpHeaders = new Dictionary<string, string> { ["Authorization"] = "TOKEN" },
};
IUnleash unleash = new DefaultUnleash(settings);

Console.WriteLine(unleash.IsEnabled("my.toggle"));`,
  },
  {
    label: 'Ruby',
    install: 'gem install unleash',
    code: ({ api }) => `require 'unleash'

headers = { 'Authorization' => 'TOKEN' }
unleash = Unleash::Client.new(
  url: '${withoutTrailingSlash(api)}',
  app_name: 'my-app',
  custom_http_headers: headers,
)

puts unleash.is_enabled?('my.toggle')`,
  },
];

const browserSdks: readonly Sdk[] = [
  {
    label: 'JavaScript',
    install: 'npm install unleash-proxy-client',
    code: ({ api }) => `import { UnleashClient } from 'unleash-proxy-client';

const unleash = new UnleashClient({
  url: '${api}frontend',
  clientKey: 'TOKEN',
  appName: 'my-app',
});
await unleash.start();

console.log(unleash.isEnabled('my.toggle'));`,
  },
  {
    label: 'React',
    install: 'npm install @unleash/proxy-client-react unleash-proxy-client',
    code: ({ api }) => `import { FlagProvider, useFlag } from '@unleash/proxy-client-react';

const config = {
  url: '${api}frontend',
  clientKey: 'TOKEN',
  appName: 'my-app',
};

export function App() {
  return <FlagProvider config={config}><Page /></FlagProvider>;
}

function Page() {
  return <p>{useFlag('my.toggle') ? 'on' : 'off'}</p>;
}`,
  },
];

const openFeatureSdks: readonly Sdk[] = [
  {
    label: 'Web',
    install: 'npm install @openfeature/web-sdk @openfeature/ofrep-web-provider',
    code: ({ base }) => `import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature } from '@openfeature/web-sdk';

const headers = [['Authorization', 'Bearer TOKEN']];
const provider = new OFREPWebProvider({ baseUrl: '${base}', headers });
await OpenFeature.setProviderAndWait(provider, { targetingKey: 'user-1' });

console.log(OpenFeature.getClient().getBooleanValue('my.toggle', false));`,
  },
  {
    label: 'Node.js',
    install: 'npm install @openfeature/server-sdk @openfeature/ofrep-provider',
    code: ({ base }) => `import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';

const headers = [['Authorization', 'Bearer TOKEN']];
const provider = new OFREPProvider({ baseUrl: '${base}', headers });
await OpenFeature.setProviderAndWait(provider);

const user = { targetingKey: 'user-1' };
console.log(await OpenFeature.getClient().getBooleanValue('my.toggle', false, user));`,
  },
  {
    label: 'Python',
    install: 'pip install openfeature-sdk openfeature-provider-ofrep',
    code: ({ base }) => `from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

headers = {"Authorization": "Bearer TOKEN"}
api.set_provider(OFREPProvider("${base}", headers_factory=lambda: headers))

user = EvaluationContext("user-1")
print(api.get_client().get_boolean_value("my.toggle", False, user))`,
  },
];

export const sdksOf: { readonly [api in SdkApi]: readonly Sdk[] } = {
  server: serverSdks,
  browser: browserSdks,
  openFeature: openFeatureSdks,
};

function nodeCode(api: string, more = ''): string {
  return `import { initialize } from 'unleash-client';

const unleash = initialize({
  url: '${api}',
  appName: 'my-app',
  customHeaders: { Authorization: 'TOKEN' },${more}
});

unleash.on('synchronized', () => {
  console.log(unleash.isEnabled('my.toggle'));
});`;
}

/** Some SDKs add the slash themselves. */
function withoutTrailingSlash(api: string): string {
  return api.replace(/\/$/, '');
}
