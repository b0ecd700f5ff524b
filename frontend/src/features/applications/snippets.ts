// Instructions to connect an application, for each API and client SDK: the packages and example code.

import { browserSdks, openFeatureSdks } from './resultSnippets';

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
