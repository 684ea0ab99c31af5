import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "cs-async-void",
    language: "csharp",
    kind: "async void method",
    path: "src/Shop/Services/OrderMailer.cs",
    before: `using System.Threading.Tasks;
using Microsoft.Extensions.Logging;

namespace Shop.Services;

public class OrderMailer
{
    private readonly IMailSender _sender;
    private readonly ILogger<OrderMailer> _logger;

    public OrderMailer(IMailSender sender, ILogger<OrderMailer> logger)
    {
        _sender = sender;
        _logger = logger;
    }

    public async Task SendConfirmation(Order order)
    {
        var text = $"Thank you for order {order.Number}.";
        await _sender.SendAsync(order.Email, "Your order", text);
        _logger.LogInformation("Confirmation sent for {Number}", order.Number);
    }
}
`,
    after: `using System.Threading.Tasks;
using Microsoft.Extensions.Logging;

namespace Shop.Services;

public class OrderMailer
{
    private readonly IMailSender _sender;
    private readonly ILogger<OrderMailer> _logger;

    public OrderMailer(IMailSender sender, ILogger<OrderMailer> logger)
    {
        _sender = sender;
        _logger = logger;
    }

    public async void SendConfirmation(Order order)
    {
        var text = $"Thank you for order {order.Number}.";
        await _sender.SendAsync(order.Email, "Your order", text);
        _logger.LogInformation("Confirmation sent for {Number}", order.Number);
    }
}
`,
    line: 17,
    severity: "major",
  },
  {
    id: "cs-sql-interpolated",
    language: "csharp",
    kind: "request input in SQL",
    path: "src/Shop/Controllers/CustomersController.cs",
    before: null,
    after: `using System.Collections.Generic;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Data.SqlClient;

namespace Shop.Controllers;

[ApiController]
[Route("customers")]
public class CustomersController : ControllerBase
{
    private readonly string _connectionString;

    public CustomersController(Settings settings) => _connectionString = settings.ConnectionString;

    [HttpGet]
    public ActionResult<List<string>> Search([FromQuery] string name)
    {
        using var connection = new SqlConnection(_connectionString);
        connection.Open();
        using var command = new SqlCommand($"SELECT Name FROM Customers WHERE Name LIKE '%{name}%'", connection);
        using var reader = command.ExecuteReader();
        var names = new List<string>();
        while (reader.Read())
        {
            names.Add(reader.GetString(0));
        }
        return names;
    }
}
`,
    line: 20,
    severity: "critical",
  },
  {
    id: "cs-throw-ex",
    language: "csharp",
    kind: "stack trace lost by throw ex",
    path: "src/Shop/Storage/BlobStore.cs",
    before: `using System;
using System.IO;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;

namespace Shop.Storage;

public class BlobStore
{
    private readonly string _root;
    private readonly ILogger _logger;

    public BlobStore(string root, ILogger logger)
    {
        _root = root;
        _logger = logger;
    }

    public async Task SaveAsync(string key, byte[] content)
    {
        try
        {
            await File.WriteAllBytesAsync(Path.Combine(_root, key), content);
        }
        catch (IOException ex)
        {
            _logger.LogError(ex, "Cannot save {Key}", key);
            throw;
        }
    }
}
`,
    after: `using System;
using System.IO;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;

namespace Shop.Storage;

public class BlobStore
{
    private readonly string _root;
    private readonly ILogger _logger;

    public BlobStore(string root, ILogger logger)
    {
        _root = root;
        _logger = logger;
    }

    public async Task SaveAsync(string key, byte[] content)
    {
        try
        {
            await File.WriteAllBytesAsync(Path.Combine(_root, key), content);
        }
        catch (IOException ex)
        {
            _logger.LogError(ex, "Cannot save {Key}", key);
            throw ex;
        }
    }
}
`,
    line: 28,
    severity: "medium",
  },
  {
    id: "cs-first-or-default-null",
    language: "csharp",
    kind: "null result used without a check",
    path: "src/Shop/Services/PriceService.cs",
    before: `using System.Collections.Generic;
using System.Linq;

namespace Shop.Services;

public record Price(string Sku, decimal Amount, string Currency);

public class PriceService
{
    private readonly List<Price> _prices;

    public PriceService(IEnumerable<Price> prices) => _prices = prices.ToList();

    public decimal AmountOf(string sku, int quantity)
    {
        var price = _prices.FirstOrDefault(p => p.Sku == sku);
        return price is null ? 0 : price.Amount * quantity;
    }

    public IEnumerable<string> Currencies() => _prices.Select(p => p.Currency).Distinct();
}
`,
    after: `using System.Collections.Generic;
using System.Linq;

namespace Shop.Services;

public record Price(string Sku, decimal Amount, string Currency);

public class PriceService
{
    private readonly List<Price> _prices;

    public PriceService(IEnumerable<Price> prices) => _prices = prices.ToList();

    public decimal AmountOf(string sku, int quantity)
    {
        return _prices.FirstOrDefault(p => p.Sku == sku).Amount * quantity;
    }

    public IEnumerable<string> Currencies() => _prices.Select(p => p.Currency).Distinct();
}
`,
    line: 16,
    severity: "major",
  },
  {
    id: "cs-binary-formatter",
    language: "csharp",
    kind: "unsafe deserialization",
    path: "src/Shop/Sessions/SessionSerializer.cs",
    before: null,
    after: `using System.IO;
using System.Runtime.Serialization.Formatters.Binary;
using Microsoft.AspNetCore.Http;

namespace Shop.Sessions;

public static class SessionSerializer
{
    public static Session Read(HttpRequest request)
    {
        using var buffer = new MemoryStream();
        request.Body.CopyTo(buffer);
        buffer.Position = 0;
        var formatter = new BinaryFormatter();
        return (Session)formatter.Deserialize(buffer);
    }

    public static void Write(Session session, HttpResponse response)
    {
        response.Headers["X-Session"] = session.Id;
    }
}
`,
    line: 14,
    also: [15],
    severity: "must-fix",
  },
  {
    id: "cs-self-assign",
    language: "csharp",
    kind: "field assigned to itself",
    path: "src/Shop/Models/Address.cs",
    before: null,
    after: `namespace Shop.Models;

public class Address
{
    private readonly string street;
    private readonly string city;
    private readonly string postcode;

    public Address(string street, string town, string postcode)
    {
        this.street = street;
        this.city = city;
        this.postcode = postcode;
    }

    public string OneLine() => $"{street}, {postcode} {city}";

    public bool IsIn(string other) => string.Equals(city, other, System.StringComparison.OrdinalIgnoreCase);
}
`,
    line: 12,
    severity: "must-fix",
  },
  {
    id: "cs-process-start",
    language: "csharp",
    kind: "request input in shell command",
    path: "src/Tools/Controllers/DnsController.cs",
    before: null,
    after: `using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

namespace Tools.Controllers;

public class DnsController : Controller
{
    [HttpGet("/dns")]
    public IActionResult Lookup()
    {
        string host = Request.Query["host"];
        if (string.IsNullOrEmpty(host))
        {
            return BadRequest();
        }
        var info = new ProcessStartInfo("/bin/sh", "-c \\"dig +short " + host + "\\"")
        {
            RedirectStandardOutput = true,
        };
        using var process = Process.Start(info)!;
        return Content(process.StandardOutput.ReadToEnd(), "text/plain");
    }
}
`,
    line: 16,
    severity: "critical",
  },
  {
    id: "cs-authorize-removed",
    language: "csharp",
    kind: "authorization attribute removed",
    path: "src/Shop/Controllers/RefundsController.cs",
    before: `using System.Threading.Tasks;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Controllers;

[ApiController]
[Authorize(Roles = "Accounting")]
[Route("refunds")]
public class RefundsController : ControllerBase
{
    private readonly IRefunds _refunds;

    public RefundsController(IRefunds refunds) => _refunds = refunds;

    [HttpPost("{orderId}")]
    public async Task<IActionResult> Create(long orderId, RefundRequest request)
    {
        await _refunds.CreateAsync(orderId, request.Amount);
        return Accepted();
    }
}
`,
    after: `using System.Threading.Tasks;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Controllers;

[ApiController]
[Route("refunds")]
public class RefundsController : ControllerBase
{
    private readonly IRefunds _refunds;

    public RefundsController(IRefunds refunds) => _refunds = refunds;

    [HttpPost("{orderId}")]
    public async Task<IActionResult> Create(long orderId, RefundRequest request)
    {
        await _refunds.CreateAsync(orderId, request.Amount);
        return Accepted();
    }
}
`,
    line: 8,
    side: "old",
    severity: "must-fix",
  },
  {
    id: "cs-result-blocking",
    language: "csharp",
    kind: "task result blocks in async method",
    path: "src/Shop/Services/CatalogSync.cs",
    before: `using System.Net.Http;
using System.Net.Http.Json;
using System.Threading.Tasks;

namespace Shop.Services;

public class CatalogSync
{
    private readonly HttpClient _client;
    private readonly ICatalog _catalog;

    public CatalogSync(HttpClient client, ICatalog catalog)
    {
        _client = client;
        _catalog = catalog;
    }

    public async Task<int> RunAsync()
    {
        var items = await _client.GetFromJsonAsync<CatalogItem[]>("items");
        foreach (var item in items!)
        {
            await _catalog.UpsertAsync(item);
        }
        return items.Length;
    }
}
`,
    after: `using System.Net.Http;
using System.Net.Http.Json;
using System.Threading.Tasks;

namespace Shop.Services;

public class CatalogSync
{
    private readonly HttpClient _client;
    private readonly ICatalog _catalog;

    public CatalogSync(HttpClient client, ICatalog catalog)
    {
        _client = client;
        _catalog = catalog;
    }

    public async Task<int> RunAsync()
    {
        var items = _client.GetFromJsonAsync<CatalogItem[]>("items").Result;
        foreach (var item in items!)
        {
            await _catalog.UpsertAsync(item);
        }
        return items.Length;
    }
}
`,
    line: 20,
    severity: "major",
  },
];
