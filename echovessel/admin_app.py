from django.contrib.admin.apps import AdminConfig


class EchoVesselAdminConfig(AdminConfig):
    default_site = "personas.adminsite.AdminSite"
