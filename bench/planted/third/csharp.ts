import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "third-cs-async-void",
    language: "csharp",
    kind: "async void method",
    path: "src/Notifications/OrderNotifier.cs",
    before: null,
    after: `using Microsoft.Extensions.Logging;

namespace Shop.Notifications;

public sealed class OrderNotifier
{
    private readonly IMailClient _mail;
    private readonly ISmsClient _sms;
    private readonly ILogger<OrderNotifier> _logger;

    public OrderNotifier(IMailClient mail, ISmsClient sms, ILogger<OrderNotifier> logger)
    {
        _mail = mail;
        _sms = sms;
        _logger = logger;
    }

    public async Task NotifyShippedAsync(Order order, CancellationToken cancellationToken)
    {
        await _mail.SendAsync(order.Email, "Your order was shipped", order.TrackingUrl, cancellationToken);
        _logger.LogInformation("Order {OrderId} shipped", order.Id);
    }

    public async void NotifyDelivered(Order order)
    {
        await _mail.SendAsync(order.Email, "Your order was delivered", order.TrackingUrl, CancellationToken.None);
        if (order.Phone is not null)
        {
            await _sms.SendAsync(order.Phone, $"Order {order.Id} was delivered", CancellationToken.None);
        }
    }
}
`,
    line: 24,
    severity: "medium",
  },
  {
    id: "third-cs-throw-ex",
    language: "csharp",
    kind: "rethrow loses the stack trace",
    path: "src/Import/CsvImporter.cs",
    before: `using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Inventory.Import;

public sealed class CsvImporter(IStockRepository repository, ILogger<CsvImporter> logger)
{
    public async Task<int> ImportAsync(TextReader reader, CancellationToken cancellationToken)
    {
        var count = 0;
        string? line;
        while ((line = await reader.ReadLineAsync(cancellationToken)) is not null)
        {
            if (line.Length == 0) continue;
            try
            {
                var fields = line.Split(';');
                var quantity = int.Parse(fields[1], CultureInfo.InvariantCulture);
                await repository.SetAsync(fields[0], quantity, cancellationToken);
                count++;
            }
            catch (FormatException)
            {
                logger.LogError("Line {Number} is invalid", count + 1);
                throw;
            }
        }
        return count;
    }
}
`,
    after: `using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Inventory.Import;

public sealed class CsvImporter(IStockRepository repository, ILogger<CsvImporter> logger)
{
    public async Task<int> ImportAsync(TextReader reader, CancellationToken cancellationToken)
    {
        var count = 0;
        string? line;
        while ((line = await reader.ReadLineAsync(cancellationToken)) is not null)
        {
            if (line.Length == 0) continue;
            try
            {
                var fields = line.Split(';');
                var quantity = int.Parse(fields[1], CultureInfo.InvariantCulture);
                await repository.SetAsync(fields[0], quantity, cancellationToken);
                count++;
            }
            catch (FormatException ex)
            {
                logger.LogError(ex, "Line {Number} is invalid", count + 1);
                throw ex;
            }
        }
        return count;
    }
}
`,
    line: 25,
    severity: "minor",
  },
  {
    id: "third-cs-format-arguments",
    language: "csharp",
    kind: "format string has more placeholders than arguments",
    path: "src/Reports/InvoiceText.cs",
    before: `using System.Globalization;
using System.Text;

namespace Billing.Reports;

public static class InvoiceText
{
    private static readonly CultureInfo Culture = CultureInfo.GetCultureInfo("de-DE");

    public static string Render(Invoice invoice)
    {
        var text = new StringBuilder();
        text.AppendLine(string.Format(Culture, "Invoice {0} of {1:d}", invoice.Number, invoice.Date));
        text.AppendLine();
        foreach (var line in invoice.Lines)
        {
            text.AppendLine(string.Format(Culture, "{0,-40}{1,10:N2}", line.Description, line.Amount));
        }
        text.AppendLine(new string('-', 50));
        text.AppendLine(string.Format(Culture, "{0,-40}{1,10:N2}", "Total", invoice.Total));
        return text.ToString();
    }
}
`,
    after: `using System.Globalization;
using System.Text;

namespace Billing.Reports;

public static class InvoiceText
{
    private static readonly CultureInfo Culture = CultureInfo.GetCultureInfo("de-DE");

    public static string Render(Invoice invoice)
    {
        var text = new StringBuilder();
        text.AppendLine(string.Format(Culture, "Invoice {0} of {1:d} for {2}", invoice.Number, invoice.Date));
        text.AppendLine();
        foreach (var line in invoice.Lines)
        {
            text.AppendLine(string.Format(Culture, "{0,-40}{1,10:N2}", line.Description, line.Amount));
        }
        text.AppendLine(new string('-', 50));
        text.AppendLine(string.Format(Culture, "{0,-40}{1,10:N2}", "Total", invoice.Total));
        return text.ToString();
    }
}
`,
    line: 13,
    severity: "medium",
  },
  {
    id: "third-cs-first-or-default",
    language: "csharp",
    kind: "result of FirstOrDefault used without a null check",
    path: "src/Catalog/PriceService.cs",
    before: null,
    after: `using System;
using System.Collections.Generic;
using System.Linq;

namespace Shop.Catalog
{
    public class PriceService
    {
        private readonly List<PriceList> _lists;

        public PriceService(IEnumerable<PriceList> lists)
        {
            _lists = lists.OrderBy(list => list.Priority).ToList();
        }

        public decimal PriceOf(string sku, DateTime day)
        {
            var list = _lists.FirstOrDefault(l => l.ValidFrom <= day && day < l.ValidTo);
            if (list == null)
            {
                throw new InvalidOperationException("No price list for " + day.ToString("yyyy-MM-dd"));
            }

            var entry = list.Entries.FirstOrDefault(e => e.Sku == sku);
            return decimal.Round(entry.Amount, 2);
        }

        public IReadOnlyList<string> Skus()
        {
            return _lists.SelectMany(list => list.Entries).Select(entry => entry.Sku).Distinct().ToList();
        }
    }
}
`,
    line: 25,
    also: [24],
    severity: "medium",
  },
  {
    id: "third-cs-path-traversal",
    language: "csharp",
    kind: "request input in a file path",
    path: "src/Api/Controllers/FilesController.cs",
    before: null,
    after: `using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Portal.Api.Controllers;

[ApiController]
[Authorize]
[Route("api/files")]
public class FilesController : ControllerBase
{
    private readonly string _root;

    public FilesController(IConfiguration configuration)
    {
        _root = configuration["Storage:Root"] ?? throw new InvalidOperationException("Storage:Root is missing");
    }

    [HttpGet]
    public ActionResult<IEnumerable<string>> List()
    {
        return Ok(Directory.EnumerateFiles(_root).Select(Path.GetFileName));
    }

    [HttpGet("download")]
    public async Task<IActionResult> Download([FromQuery] string name)
    {
        var path = Path.Combine(_root, name);
        if (!System.IO.File.Exists(path))
        {
            return NotFound();
        }
        var bytes = await System.IO.File.ReadAllBytesAsync(path);
        return File(bytes, "application/octet-stream", Path.GetFileName(path));
    }
}
`,
    line: 27,
    also: [28, 32],
    severity: "major",
  },
  {
    id: "third-cs-binary-formatter",
    language: "csharp",
    kind: "deserialization with BinaryFormatter",
    path: "src/Desktop/Session/SessionFile.cs",
    before: null,
    after: `using System;
using System.IO;
using System.Runtime.Serialization.Formatters.Binary;

namespace Editor.Desktop.Session
{
    public static class SessionFile
    {
        private const int MaxBytes = 10 * 1024 * 1024;

        public static EditorSession Open(string path)
        {
            var info = new FileInfo(path);
            if (!info.Exists)
            {
                return EditorSession.Empty;
            }
            if (info.Length > MaxBytes)
            {
                throw new InvalidDataException("The session file is too large.");
            }

            using (var stream = info.OpenRead())
            {
                var formatter = new BinaryFormatter();
                return (EditorSession)formatter.Deserialize(stream);
            }
        }
    }
}
`,
    line: 26,
    also: [25],
    severity: "major",
  },
  {
    id: "third-cs-certificate-callback",
    language: "csharp",
    kind: "certificate validation disabled",
    path: "src/Gateway/PartnerClientFactory.cs",
    before: `using System.Net.Http.Headers;

namespace Gateway;

public sealed class PartnerClientFactory
{
    private readonly PartnerOptions _options;

    public PartnerClientFactory(PartnerOptions options)
    {
        _options = options;
    }

    public HttpClient Create()
    {
        var handler = new HttpClientHandler
        {
            AllowAutoRedirect = false,
            MaxConnectionsPerServer = 8,
        };
        var client = new HttpClient(handler)
        {
            BaseAddress = _options.BaseAddress,
            Timeout = TimeSpan.FromSeconds(20),
        };
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", _options.Token);
        return client;
    }
}
`,
    after: `using System.Net.Http.Headers;

namespace Gateway;

public sealed class PartnerClientFactory
{
    private readonly PartnerOptions _options;

    public PartnerClientFactory(PartnerOptions options)
    {
        _options = options;
    }

    public HttpClient Create()
    {
        var handler = new HttpClientHandler
        {
            AllowAutoRedirect = false,
            MaxConnectionsPerServer = 8,
            ServerCertificateCustomValidationCallback = (_, _, _, _) => true,
        };
        var client = new HttpClient(handler)
        {
            BaseAddress = _options.BaseAddress,
            Timeout = TimeSpan.FromSeconds(20),
        };
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", _options.Token);
        return client;
    }
}
`,
    line: 20,
    severity: "major",
  },
  {
    id: "third-cs-removed-authorize",
    language: "csharp",
    kind: "authorization attribute removed",
    path: "src/Admin/Controllers/UsersController.cs",
    before: `using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Admin.Controllers;

[ApiController]
[Route("api/users")]
public class UsersController(IUserService users) : ControllerBase
{
    [HttpGet("me")]
    [Authorize]
    public async Task<ActionResult<UserDto>> Me()
    {
        var user = await users.FindByNameAsync(User.Identity!.Name!);
        return user is null ? NotFound() : Ok(user);
    }

    [HttpDelete("{id:guid}")]
    [Authorize(Roles = "Administrator")]
    public async Task<IActionResult> Delete(Guid id)
    {
        var isDeleted = await users.DeleteAsync(id);
        return isDeleted ? NoContent() : NotFound();
    }
}
`,
    after: `using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Admin.Controllers;

[ApiController]
[Route("api/users")]
public class UsersController(IUserService users) : ControllerBase
{
    [HttpGet("me")]
    [Authorize]
    public async Task<ActionResult<UserDto>> Me()
    {
        var user = await users.FindByNameAsync(User.Identity!.Name!);
        return user is null ? NotFound() : Ok(user);
    }

    [HttpDelete("{id:guid}")]
    public async Task<IActionResult> Delete(Guid id, CancellationToken cancellationToken)
    {
        var isDeleted = await users.DeleteAsync(id, cancellationToken);
        return isDeleted ? NoContent() : NotFound();
    }
}
`,
    line: 19,
    side: "old",
    severity: "major",
  },
];
