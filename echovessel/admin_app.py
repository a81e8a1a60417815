from django.contrib.admin.apps import AdminConfig


class Admin(AdminConfig):
    default_site = "personas.adminsite.Site"
