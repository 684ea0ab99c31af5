import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "php-laravel-raw",
    language: "php",
    kind: "request input in SQL",
    path: "app/Http/Controllers/LedgerController.php",
    before: `<?php

namespace App\\Http\\Controllers;

use Illuminate\\Http\\JsonResponse;
use Illuminate\\Http\\Request;
use Illuminate\\Support\\Facades\\DB;

class LedgerController extends Controller
{
    public function index(Request $request): JsonResponse
    {
        $account = $request->input('account');
        $entries = DB::table('entries')->where('account', $account)->latest()->limit(100)->get();

        return response()->json(['entries' => $entries]);
    }

    public function show(int $id): JsonResponse
    {
        return response()->json(DB::table('entries')->find($id));
    }
}
`,
    after: `<?php

namespace App\\Http\\Controllers;

use Illuminate\\Http\\JsonResponse;
use Illuminate\\Http\\Request;
use Illuminate\\Support\\Facades\\DB;

class LedgerController extends Controller
{
    public function index(Request $request): JsonResponse
    {
        $account = $request->input('account');
        $entries = DB::select("select * from entries where account = '$account' order by created_at desc limit 100");

        return response()->json(['entries' => $entries]);
    }

    public function show(int $id): JsonResponse
    {
        return response()->json(DB::table('entries')->find($id));
    }
}
`,
    line: 14,
    severity: "critical",
  },
  {
    id: "php-shell-exec",
    language: "php",
    kind: "request input in shell command",
    path: "admin/whois.php",
    before: null,
    after: `<?php

require_once 'auth.inc.php';
require_admin();

$domain = trim($_POST['domain'] ?? '');
$output = '';

if ($domain !== '') {
    $output = shell_exec('whois ' . $domain . ' 2>&1');
}
?>
<form method="post">
  <input type="hidden" name="csrf" value="<?= csrf_token() ?>">
  <input name="domain">
  <button>Look up</button>
</form>
<pre><?= htmlspecialchars((string) $output) ?></pre>
`,
    line: 10,
    severity: "critical",
  },
  {
    id: "php-curl-ssrf",
    language: "php",
    kind: "request input in outgoing request",
    path: "src/Action/FetchFeed.php",
    before: null,
    after: `<?php

declare(strict_types=1);

namespace Reader\\Action;

use Psr\\Http\\Message\\ResponseInterface as Response;
use Psr\\Http\\Message\\ServerRequestInterface as Request;

final class FetchFeed
{
    public function __invoke(Request $request, Response $response): Response
    {
        $url = $request->getQueryParams()['url'] ?? '';
        $xml = file_get_contents($url);
        if ($xml === false) {
            return $response->withStatus(502);
        }
        $response->getBody()->write($xml);

        return $response->withHeader('Content-Type', 'application/xml');
    }
}
`,
    line: 15,
    severity: "must-fix",
  },
  {
    id: "php-foreach-reference",
    language: "php",
    kind: "reference left after foreach",
    path: "lib/Normalizer.php",
    before: `<?php

namespace Reader;

class Normalizer
{
    public function normalize(array $names): array
    {
        foreach ($names as $i => $name) {
            $names[$i] = trim(mb_strtolower($name));
        }

        $unique = [];
        foreach ($names as $name) {
            $unique[$name] = true;
        }

        return array_keys($unique);
    }
}
`,
    after: `<?php

namespace Reader;

class Normalizer
{
    public function normalize(array $names): array
    {
        foreach ($names as &$name) {
            $name = trim(mb_strtolower($name));
        }

        $unique = [];
        foreach ($names as $name) {
            $unique[$name] = true;
        }

        return array_keys($unique);
    }
}
`,
    line: 9,
    also: [14],
    severity: "major",
  },
  {
    id: "php-loose-token",
    language: "php",
    kind: "loose comparison of a secret",
    path: "src/Webhook/Verifier.php",
    before: `<?php

declare(strict_types=1);

namespace Reader\\Webhook;

final class Verifier
{
    private string $secret;

    public function __construct(string $secret)
    {
        $this->secret = $secret;
    }

    public function isValid(string $payload, string $signature): bool
    {
        $expected = hash_hmac('sha256', $payload, $this->secret);

        return hash_equals($expected, $signature);
    }
}
`,
    after: `<?php

declare(strict_types=1);

namespace Reader\\Webhook;

final class Verifier
{
    private string $secret;

    public function __construct(string $secret)
    {
        $this->secret = $secret;
    }

    public function isValid(string $payload, string $signature): bool
    {
        $expected = hash_hmac('sha256', $payload, $this->secret);

        return $expected == $signature;
    }
}
`,
    line: 20,
    severity: "major",
  },
  {
    id: "php-duplicate-array-key",
    language: "php",
    kind: "duplicate array key",
    path: "config/mime.php",
    before: null,
    after: `<?php

return [
    'css' => 'text/css',
    'csv' => 'text/csv',
    'gif' => 'image/gif',
    'html' => 'text/html',
    'jpg' => 'image/jpeg',
    'js' => 'text/javascript',
    'png' => 'image/png',
    'css' => 'application/pdf',
    'svg' => 'image/svg+xml',
    'txt' => 'text/plain',
    'zip' => 'application/zip',
];
`,
    line: 11,
    severity: "medium",
  },
  {
    id: "php-null-find",
    language: "php",
    kind: "null result used without a check",
    path: "app/Services/TicketCloser.php",
    before: `<?php

namespace App\\Services;

use App\\Models\\Ticket;
use App\\Notifications\\TicketClosed;

class TicketCloser
{
    public function close(int $id, string $reason): void
    {
        $ticket = Ticket::findOrFail($id);
        $ticket->update(['state' => 'closed', 'reason' => $reason]);
        $ticket->author->notify(new TicketClosed($ticket));
    }

    public function reopen(int $id): void
    {
        $ticket = Ticket::findOrFail($id);
        $ticket->update(['state' => 'open', 'reason' => null]);
    }
}
`,
    after: `<?php

namespace App\\Services;

use App\\Models\\Ticket;
use App\\Notifications\\TicketClosed;

class TicketCloser
{
    public function close(int $id, string $reason): void
    {
        $ticket = Ticket::find($id);
        $ticket->update(['state' => 'closed', 'reason' => $reason]);
        $ticket->author->notify(new TicketClosed($ticket));
    }

    public function reopen(int $id): void
    {
        $ticket = Ticket::findOrFail($id);
        $ticket->update(['state' => 'open', 'reason' => null]);
    }
}
`,
    line: 13,
    also: [12],
    severity: "major",
  },
  {
    id: "php-missing-break",
    language: "php",
    kind: "missing break",
    path: "src/Importer/Dispatcher.php",
    before: null,
    after: `<?php

declare(strict_types=1);

namespace Reader\\Importer;

final class Dispatcher
{
    public function __construct(private Queue $queue, private Archive $archive)
    {
    }

    public function dispatch(string $event, array $data): void
    {
        switch ($event) {
            case 'created':
                $this->queue->push('index', $data);
                break;
            case 'updated':
                $this->queue->push('reindex', $data);
            case 'deleted':
                $this->archive->remove($data['id']);
                break;
            default:
                throw new \\UnexpectedValueException($event);
        }
    }
}
`,
    line: 21,
    severity: "must-fix",
  },
  {
    id: "php-upload-name",
    language: "php",
    kind: "uploaded file keeps the client's name",
    path: "public/upload.php",
    before: null,
    after: `<?php

declare(strict_types=1);

require __DIR__ . '/../src/session.php';

$user = require_login();
$file = $_FILES['document'] ?? null;

if ($file === null || $file['error'] !== UPLOAD_ERR_OK) {
    http_response_code(400);
    exit;
}

$target = __DIR__ . '/files/' . $file['name'];
move_uploaded_file($file['tmp_name'], $target);

header('Content-Type: application/json');
echo json_encode(['size' => $file['size'], 'owner' => $user->id]);
`,
    line: 16,
    also: [15],
    severity: "must-fix",
  },
];
